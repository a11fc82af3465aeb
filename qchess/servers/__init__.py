"""Servers and players over HTTP and pipes, so that other programs can play here and ours elsewhere.

`http` carries, `wire` checks what came, `view` and `choice` say positions and moves as the Quantum Chess SDK
does; `move_server` answers ``POST /move``, `remote_player` asks such a server, `state_server` keeps quantum
boards for others, and `uqci` speaks on standard input and output.
"""
