"""Cards played as events: may they be, what their effects do, what lasts (SS 7.5; vocabulary of the data pack)."""
