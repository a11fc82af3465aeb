"""Servers and players over HTTP and pipes: other programs play here, and ours elsewhere.

`http` is the transport, `wire` checks requests, `view` and `choice` write positions and moves as the Quantum Chess SDK
does. `move_server` answers ``POST /move``, `remote_player` asks such a server, `state_server` keeps quantum boards for
others, and `uqci` uses standard input and output.
"""
