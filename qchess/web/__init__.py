"""The web board's server: tables with seats and clocks, a store, workers, and the messages to the pages.

`settings` says what is allowed, `wire` reads messages, `work` answers questions about a game, here or in a worker
process (`workers`). A `Table` is one game with its seats, the `Hall` holds all tables, `sessions` are the sockets, and
`app` is what uvicorn serves. The protocol between pages and server: docs/web_protocol.md.
"""
