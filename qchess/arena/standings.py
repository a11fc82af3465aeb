"""The result of a tournament: scores, pairings and TrueSkill ratings, and their table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qchess.arena.playing import Line
from qchess.arena.ratings import Rating, Trueskill
from qchess.arena.statistics import Score
from qchess.wording import COLUMNS


@dataclass(frozen=True, slots=True)
class Standings:
    """Every player's score, in total, against each other and in each seat, and rating."""

    players: tuple[str, ...]
    scores: dict[str, Score]
    pairs: dict[tuple[str, str], Score]
    seats: dict[str, dict[str, Score]]
    ratings: dict[str, Rating]
    games: int
    plies: int

    def ranked(self) -> list[str]:
        """Return the players, best rating first."""
        return sorted(self.players, key=lambda player: -self.ratings[player].mu)

    def data(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        return {
            "games": self.games,
            "mean_plies": self.plies / self.games if self.games else None,
            "players": [self._row(player) for player in self.ranked()],
            "pairs": [{"player": a, "against": b, **score_data(score)} for (a, b), score in self.pairs.items()],
        }

    def _row(self, player: str) -> dict[str, Any]:
        rating = self.ratings[player]
        seats = {seat: score_data(score) for seat, score in self.seats[player].items()}
        return {"player": player, "mu": rating.mu, "sigma": rating.sigma, **score_data(self.scores[player]), **seats}


def score_data(score: Score) -> dict[str, Any]:
    """Return a score as JSON data, with its interval."""
    return {
        "games": score.games, "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "mean": score.mean if score.games else None, "interval": list(score.interval()),
    }  # fmt: skip


def standings(players: Sequence[str], lines: Iterable[Line], system: Trueskill | None = None) -> Standings:
    """Return the standings after these games, rated in order."""
    system = system or Trueskill()
    scores, ratings = dict.fromkeys(players, Score()), dict.fromkeys(players, Rating())
    pairs: dict[tuple[str, str], Score] = {}
    seats = {player: {"white": Score(), "black": Score()} for player in players}
    games = plies = 0
    for line in lines:
        games, plies = games + 1, plies + line.plies
        for mine, other, seat in ((line.white, line.black, "white"), (line.black, line.white, "black")):
            point = Score(line.winner == mine, line.winner is None, line.winner == other)
            scores[mine] += point
            seats[mine][seat] += point
            pairs[mine, other] = pairs.get((mine, other), Score()) + point
        first, second = (line.black, line.white) if line.winner == line.black else (line.white, line.black)
        ratings[first], ratings[second] = system.update(ratings[first], ratings[second], line.winner is None)
    return Standings(tuple(players), scores, pairs, seats, ratings, games, plies)


def table(found: Standings) -> str:
    """Return the standings as text: rating, score with its 95 % interval, and points against each other player.

    A table that would be too wide is split in two.
    """
    order = found.ranked()
    rows = [["player", "TrueSkill", "score"]] + [[p, str(found.ratings[p]), str(found.scores[p])] for p in order]
    pairs = [[str(k + 1) for k in range(len(order))]]
    pairs += [[_cell(found.pairs.get((player, other))) for other in order] for player in order]
    whole = _aligned([[*row, *more] for row, more in zip(rows, pairs, strict=True)])
    if len(whole[0]) <= COLUMNS:
        return "\n".join(whole)
    beside = _aligned([[row[0], *more] for row, more in zip(rows, pairs, strict=True)])
    return "\n".join([*_aligned(rows), "", *beside])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, the first column left-aligned and the others right-aligned."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(text.rjust(w) for text, w in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    ]


def _cell(score: Score | None) -> str:
    return f"{score.wins}-{score.draws}-{score.losses}" if score else "·"
