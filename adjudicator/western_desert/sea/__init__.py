"""The war at sea (WD 26, 28.D, 29.A): ports in use, voyages and their dangers, the status of Malta."""
