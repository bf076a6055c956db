"""Nations, the sides they fight for, and the groups that rules speak of (SS 2.4, 7.23, 11.442, 15.1)."""

from __future__ import annotations

AXIS = ("GE", "IT", "VF", "IR", "EG")
ALLIED = ("BR", "AUS", "IND", "NZ", "SA", "FF_BR", "GK", "POL", "US", "FF_US")
NATIONS = AXIS + ALLIED
SIDES = ("axis", "allied")
ENEMY = {"axis": "allied", "allied": "axis"}

_SIDE = {**dict.fromkeys(AXIS, "axis"), **dict.fromkeys(ALLIED, "allied")}

NEUTRALS = ("VF", "IR")
COMMONWEALTH = ("AUS", "IND", "NZ", "SA")
MINORS = ("FF_BR", "GK", "POL")
BRITISH_GROUP = ("BR", *COMMONWEALTH, *MINORS)
GERMAN_GROUP = ("GE", "VF", "IR", "EG")
AMERICAN_GROUP = ("US", "FF_US")

_GROUP = {
    **dict.fromkeys(BRITISH_GROUP, "british"),
    **dict.fromkeys(GERMAN_GROUP, "german"),
    **dict.fromkeys(AMERICAN_GROUP, "american"),
    "IT": "italian",
}

REPLACED_BY = {
    "BR": ("BR",),
    "IND": ("IND", "BR"),
    "AUS": ("AUS",),
    "SA": ("SA",),
    "NZ": ("NZ",),
    "US": ("US",),
    "FF_US": ("FF_US",),
    "GE": ("GE",),
    "IT": ("IT",),
    "VF": ("VF",),
    "IR": ("IR",),
    "EG": ("EG",),
    "GK": (),
    "POL": (),
    "FF_BR": (),
}
"""Whose battlegroups replace a lost division of a nation, the own nation first (SS 11.44, 11.442, 11.443, 11.45)."""

WORDS = {
    "GE": "German",
    "IT": "Italian",
    "VF": "Vichy French",
    "IR": "Iraqi",
    "EG": "Egyptian",
    "BR": "British",
    "AUS": "Australian",
    "IND": "Indian",
    "NZ": "New Zealand",
    "SA": "South African",
    "FF_BR": "Free French",
    "FF_US": "Free French",
    "GK": "Greek",
    "POL": "Polish",
    "US": "American",
}


def side_of(nation: str) -> str:
    """The side a nation fights for (SS 2.4). Raises KeyError for an unknown nation."""
    return _SIDE[nation]


def group_of(nation: str, literal: bool = False) -> str:
    """Nationality for activation and combat (SS 7.23, ruling A12); ``literal`` takes every nation by itself."""
    return nation if literal else _GROUP[nation]
