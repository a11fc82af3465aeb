"""Agents against agents, in any game: schedules, results that survive a crash, ratings and statistics.

The arena imports no game. A tournament is a `Plan`; each of its games is worked out from the plan and the
game's number alone, so that it comes out the same in this process, in another, or on another machine.
"""
