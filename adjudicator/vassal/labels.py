"""Places names on a map so that they cover each other and what is printed there as little as can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Label:
    """A name to be placed about a point. `rank` 0 comes first; `clear` keeps off the symbol."""

    text: str
    x: float
    y: float
    width: float
    height: float
    clear: float
    rank: int


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A rectangle that a name should not cover, and how bad it is per pixel covered."""

    rect: Rect
    weight: float


class Field:
    """Obstacles in coarse cells, so that only those nearby are looked at."""

    def __init__(self, obstacles: Iterable[Obstacle], cell: float = 80.0) -> None:
        self._cell = cell
        self._cells: dict[tuple[int, int], list[Obstacle]] = {}
        for obstacle in obstacles:
            self.put(obstacle)

    def _keys(self, rect: Rect) -> list[tuple[int, int]]:
        x0, y0, x1, y1 = (int(value // self._cell) for value in rect)
        return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]

    def put(self, obstacle: Obstacle) -> None:
        """Adds an obstacle."""
        for key in self._keys(obstacle.rect):
            self._cells.setdefault(key, []).append(obstacle)

    def take(self, obstacle: Obstacle) -> None:
        """Removes an obstacle that was put."""
        for key in self._keys(obstacle.rect):
            self._cells[key].remove(obstacle)

    def cost(self, rect: Rect) -> float:
        """What it costs to lie in this rectangle: pixels covered by weight."""
        near = {id(o): o for key in self._keys(rect) for o in self._cells.get(key, ())}
        return sum(_overlap(rect, o.rect) * o.weight for o in near.values())


def _overlap(one: Rect, two: Rect) -> float:
    width = min(one[2], two[2]) - max(one[0], two[0])
    height = min(one[3], two[3]) - max(one[1], two[1])
    return width * height if width > 0 and height > 0 else 0.0


LABEL_WEIGHT = 8.0


def place(labels: Sequence[Label], obstacles: Iterable[Obstacle], bounds: Rect, rounds: int = 4) -> list[Rect]:
    """A rectangle for each label, in the order given.

    Important names choose first; then every name may move again, a few rounds, as long as it gains.
    """
    field = Field(obstacles)
    order = sorted(range(len(labels)), key=lambda i: (labels[i].rank, i))
    chosen: dict[int, Obstacle] = {}
    for _ in range(rounds):
        for i in order:
            if i in chosen:
                field.take(chosen[i])
            chosen[i] = Obstacle(_best(labels[i], field, bounds), LABEL_WEIGHT)
            field.put(chosen[i])
    return [chosen[i].rect for i in range(len(labels))]


def _best(label: Label, field: Field, bounds: Rect) -> Rect:
    candidates = list(_candidates(label))
    return min(candidates, key=lambda c: (c[1] + field.cost(c[0]) + _outside(c[0], bounds), c[1]))[0]


def _outside(rect: Rect, bounds: Rect) -> float:
    inside = rect[0] >= bounds[0] and rect[1] >= bounds[1] and rect[2] <= bounds[2] and rect[3] <= bounds[3]
    return 0.0 if inside else 1e6


def _candidates(label: Label) -> Iterable[tuple[Rect, float]]:
    """Positions round the point with what each costs by itself: right of it is best, far is worse."""
    w, h = label.width, label.height
    for extra in (0.0, 5.0, 10.0, 16.0, 24.0):
        gap = label.clear + extra
        spots = (
            (gap, -h / 2, 0.0), (-gap - w, -h / 2, 6.0), (-w / 2, -gap - h, 8.0), (-w / 2, gap, 4.0),
            (gap * 0.7, -gap * 0.7 - h, 3.0), (gap * 0.7, gap * 0.7, 2.0),
            (-gap * 0.7 - w, -gap * 0.7 - h, 9.0), (-gap * 0.7 - w, gap * 0.7, 8.0),
            (-w * 0.2, gap, 6.0), (-w * 0.8, gap, 8.0), (-w * 0.2, -gap - h, 9.0), (-w * 0.8, -gap - h, 11.0),
        )  # fmt: skip
        for dx, dy, cost in spots:
            x, y = label.x + dx, label.y + dy
            yield (x, y, x + w, y + h), cost * 4 + extra * 5
