"""Runs of simulators on cases: each in a separate process, limited, verified, and saved."""
