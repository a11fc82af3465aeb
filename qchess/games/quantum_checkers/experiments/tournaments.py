"""Experiments 2 and 3: the search against a random player, and ratings of four agents (Figs. 8 to 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qchess.arena.plan import Plan
from qchess.arena.ratings import Rating
from qchess.arena.standings import Standings
from qchess.arena.statistics import Score
from qchess.arena.tournament import run
from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.experiments import published

GAME, RANDOM = "quantum-checkers", "random"
#: the rules for each search: those behind the published figures for the paper's, the rule book's for ours
PROFILES = {"mcts-paper": "cheqqers_2025_03", "mcts": "default"}
#: board size -> rows per side and rounds of the published ratings
BOARDS = {5: (1, 25), 8: (3, 5)}
BUDGETS = (200, 400, 800)


@dataclass(frozen=True, slots=True)
class Places:
    """Where games are played, and the callback for progress."""

    folder: Path
    workers: int = 1
    cluster: str | None = None
    told: Callable[[str, int, int], None] = lambda name, done, total: None


def strength(
    places: Places,
    *,
    agents: Sequence[str] = tuple(PROFILES),
    levels: Sequence[int] = published.LEVELS,
    simulations: int = 800,
    games: int = 100,
    size: int = 5,
    rows: int = 1,
    profile: str | None = None,
    seed: int = 0,
) -> dict[tuple[str, int, str], Score]:
    """Play each agent against a random player: (agent, level, colour) -> its score."""
    scores: dict[tuple[str, int, str], Score] = {}
    for agent in agents:
        for level in levels:
            player = f"{agent}@{simulations}"
            options = {"level": level, "size": size, "rows": rows, "profile": profile or profile_of(agent)}
            plan = Plan(GAME, (player, RANDOM), rounds=games, options=options, seed=seed)
            found = _play(places, f"strength-{agent}-{size}x{size}-level{level}", plan)
            scores |= {(agent, level, colour): score for colour, score in found.seats[player].items()}
    return scores


def ladder(
    places: Places,
    *,
    agent: str = "mcts-paper",
    levels: Sequence[int] = published.LEVELS,
    size: int = 5,
    rows: int | None = None,
    rounds: int | None = None,
    budgets: Sequence[int] = BUDGETS,
    profile: str | None = None,
    seed: int = 0,
) -> dict[int, Standings]:
    """Play a tournament of a random player and one search at several budgets, by level."""
    usual = BOARDS.get(size)
    if not usual and (rows is None or rounds is None):
        raise InvalidMoveError(f"no ratings were published for {size}x{size}: rows and rounds must be given")
    rows, rounds = rows or (usual or (1, 1))[0], rounds or (usual or (1, 1))[1]
    players = (RANDOM, *(f"{agent}@{budget}" for budget in budgets))
    found = {}
    for level in levels:
        options = {"level": level, "size": size, "rows": rows, "profile": profile or profile_of(agent)}
        plan = Plan(GAME, players, rounds=rounds, options=options, seed=seed)
        found[level] = _play(places, f"trueskill-{agent}-{size}x{size}-level{level}", plan)
    return found


def _play(places: Places, name: str, plan: Plan) -> Standings:
    def told(done: int, total: int) -> None:
        places.told(name, done, total)

    path = places.folder / f"{name}.jsonl"
    return run(plan, path, workers=places.workers, cluster=places.cluster, told=told).standings


def profile_of(agent: str) -> str:
    """Return the default rules of an agent's experiments."""
    return PROFILES.get(agent, "default")


def strength_table(scores: Mapping[tuple[str, int, str], Score]) -> str:
    """Return the scores as text."""
    lines = [f"{'agent':<12}  level  as      score (win = 1, draw = 1/2) with its 95 % interval"]
    lines += [f"{agent:<12}  {level:5}  {colour:<6}  {score}" for (agent, level, colour), score in scores.items()]
    both = _both(scores)
    return "\n".join(lines + [f"{agent:<12}  {level:5}  both    {score}" for (agent, level), score in both.items()])


def _both(scores: Mapping[tuple[str, int, str], Score]) -> dict[tuple[str, int], Score]:
    sums: dict[tuple[str, int], Score] = {}
    for (agent, level, _), score in scores.items():
        sums[agent, level] = sums.get((agent, level), Score()) + score
    return sums


def strength_text(scores: Mapping[tuple[str, int, str], Score]) -> str:
    """Return a comparison of the scores with the paper; its Fig. 8 has no published numbers."""
    said = ["The paper's Fig. 8 has no published numbers; its text says that the search wins most games at every level,"
            " less clearly at higher ones, and slightly more as White."]  # fmt: skip
    for (agent, level), score in _both(scores).items():
        white, black = scores[agent, level, "white"], scores[agent, level, "black"]
        said.append(
            f"{agent}, level {level}: wins {score.wins / score.games:.1%} of {score.games} games "
            f"(White {white.wins}-{white.draws}-{white.losses}, Black {black.wins}-{black.draws}-{black.losses})."
        )
    return "\n".join(said)


def ladder_table(found: Mapping[int, Standings], size: int) -> str:
    """Return the ratings as text, beside the published ones."""
    lines = [f"level  {'player':<16}  {'TrueSkill':>15}  {'published':>15}  score"]
    for level, standings in found.items():
        told = published.RATINGS.get(size, {}).get(level, ())
        for k, player in enumerate(standings.players):
            beside = str(Rating(*told[k])) if k < len(told) else ""
            lines.append(f"{level:5}  {player:<16}  {standings.ratings[player]!s:>15}  {beside:>15}  "
                         f"{standings.scores[player]}")  # fmt: skip
    return "\n".join(lines)


def ladder_text(found: Mapping[int, Standings], size: int) -> str:
    """Return how the ranks compare with the published ones; ratings of different runs are not compared exactly."""
    return "\n".join(f"Level {level}: {line}" for level, s in found.items() for line in _ranks(s, size, level))


def _ranks(standings: Standings, size: int, level: int) -> Iterator[str]:
    ours = standings.ranked()
    yield f"ranked {' > '.join(ours)}; the random player is {'last' if ours[-1] == RANDOM else 'not last'}."
    told = published.RATINGS.get(size, {}).get(level, ())
    if told and [int(player.partition("@")[2]) for player in standings.players[1:]] == list(BUDGETS):
        order = sorted(range(len(told)), key=lambda k: -told[k][0])
        theirs = [standings.players[k] for k in order]
        agree, pairs = _agreement(ours, theirs)
        yield f"published {' > '.join(theirs)}; {agree} of {pairs} pairs stand in the same order."


def _agreement(ours: Sequence[str], theirs: Sequence[str]) -> tuple[int, int]:
    pairs = [(a, b) for k, a in enumerate(theirs) for b in theirs[k + 1 :]]
    return sum(ours.index(a) < ours.index(b) for a, b in pairs), len(pairs)


def ladder_data(found: Mapping[int, Standings]) -> dict[str, Any]:
    """Return the standings of every level as JSON data."""
    return {str(level): standings.data() for level, standings in found.items()}
