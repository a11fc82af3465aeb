"""Runs of simulators on cases: each in a process of its own, limited, verified, written down."""
