"""``qchess completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

from qchess.commands.common import Commands

SHELLS = ("bash", "zsh", "fish")
BASH = """\
_qchess() {{
  local word path="" words="" k
  for ((k = 1; k < COMP_CWORD; k++)); do
    word="${{COMP_WORDS[k]}}"
    case "${{path:+$path }}$word" in {paths}) path="${{path:+$path }}$word";; esac
  done
  case "$path" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
  [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -F _qchess qchess
"""
ZSH = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n"
FISH = """\
function __qchess_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l path
  for word in $words
    contains -- "$path$word" {paths}; and set path "$path$word "
  end
  test (string trim -- "$path") = "$argv[1]"
end
"""


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "completion",
        help="a script that completes commands in your shell",
        description='Prints the script. In bash or zsh: eval "$(qchess completion bash)". '
        "In fish: qchess completion fish | source.",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")
    parser.set_defaults(run=partial(run, commands))


def run(commands: Commands, args: argparse.Namespace) -> int:
    """Print the script for these commands."""
    tree = {path: words for name, child in commands.choices.items() for path, words in _walk(child, (name,))}
    tree[()] = [*commands.choices, "--help", "--version"]
    if args.shell == "fish":
        print("\n".join(_fish(tree)))
        return 0
    paths = "|".join(f'"{" ".join(path)}"' for path in tree if path)
    cases = "\n".join(f'    "{" ".join(path)}") words="{" ".join(words)}";;' for path, words in tree.items())
    print((ZSH if args.shell == "zsh" else "") + BASH.format(paths=paths, cases=cases), end="")
    return 0


def _walk(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every command by its path, with the words that may follow it."""
    from qchess.games import names

    words: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words += action.choices
            for name, child in action.choices.items():
                yield from _walk(child, (*path, name))
        elif action.option_strings:
            words += action.option_strings
        elif action.metavar == "GAME":
            words += names()
        else:
            words += map(str, action.choices or ())
    yield path, words


def _fish(tree: dict[tuple[str, ...], list[str]]) -> Iterator[str]:
    yield FISH.format(paths=" ".join(f"'{' '.join(path)}'" for path in tree if path))
    for path, words in tree.items():
        yield f"""complete -c qchess -n "__qchess_at '{" ".join(path)}'" -a '{" ".join(words)}'"""
