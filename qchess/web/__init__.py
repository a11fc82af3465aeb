"""The web board's server: tables with seats and clocks, a store, workers, and the wire to the pages.

`settings` says what is allowed, `wire` reads messages, `work` answers questions about a game, here or in a
worker process (`workers`); a `Table` is one game with its seats, the `Hall` holds all tables, `sessions` are the
sockets, `app` is what uvicorn serves. What the pages and the server say to each other: docs/web_protocol.md.
"""
