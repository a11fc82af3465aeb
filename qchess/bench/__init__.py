"""The benchmark of simulators: circuits from games, adapters, the runner and its report."""
