"""What chess players type at the prompt: other words for commands, and moves with words around them.

>>> meant('take back'), meant('I resign!'), meant('split b1'), meant('e4')
('undo', 'resign', 'moves b1^', 'e4')
>>> plain('knight takes d5'), plain('split Nb1 to a3 and c3'), plain('move e2 to e4')
('Nxd5', 'Nb1 to a3 and c3', 'e2 to e4')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from qchess.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, QchessError
from qchess.playing.game import Game
from qchess.rules import Turn

#: by the command, what people type for it
OTHER_WORDS = {
    "help": ("?", "h", "help me", "commands", "info", "about", "what now", "what can i do", "how do i move"),
    "quit": ("exit", "q", ":q", ":q!", ":wq", "bye", "stop", "leave", "end", "close"),
    "learn": ("lessons", "lesson", "tutorial", "teach me"),
    "undo": ("back", "takeback", "take back", "undo move", "take it back", "u"),
    "redo": ("forward", "redo move"),
    "resign": ("i resign", "give up", "i give up", "surrender", "concede"),
    "flip": ("rotate", "turn board", "turn the board", "flip board", "flip the board"),
    "board": ("show", "show board", "print", "display", "position", "d", "clear", "cls", "refresh"),
    "moves": ("legal moves", "list moves", "show moves", "possible moves", "moves?"),
    "hint": ("best move", "bestmove", "suggest", "advice", "help me move"),
    "history": ("movelist", "moves so far"),
    "rules": ("rule", "how to play", "how do i play"),
    "legend": ("symbols", "signs", "key"),
    "moves ^": ("split", "merge", "splits", "merges"),
}
WORDS = {word: command for command, words in OTHER_WORDS.items() for word in words}
_NEW = "quit leaves; a new game is begun with: qchess play GAME"
_SEATS = "quit leaves; who plays is chosen at the start, such as: qchess play GAME --white greedy --black human"
_SAVED = "The game is saved after each move; quit leaves, and qchess resume goes on with it."
_MEASURED = "Nothing is measured by a command: a move measures where it must, and odds MOVE shows what it would ask."
_SCORE = "There is no score; hint shows what an agent thinks of the best move."
#: by what is answered, what people type who look for something that a prompt does not have
ANSWERED = {
    "There is no draw by agreement here: play on, resign, or quit.":
        ("draw", "offer draw", "i offer a draw", "offer a draw", "draw offer", "accept draw"),
    _NEW: ("new", "new game", "newgame", "restart", "reset", "start", "play", "play again", "rematch", "begin"),
    _SAVED: ("save", "save game", "store", "export"),
    "quit leaves; then a saved game is opened with: qchess resume FILE": ("load", "load game", "open", "resume"),
    _SEATS: ("computer", "ai", "play black", "play white", "switch", "switch sides", "swap sides", "level", "easy",
             "hard", "difficulty", "engine", "play computer", "opponent"),
    "quit leaves; the options of a new game are listed by: qchess play --help": ("options", "settings", "config"),
    _SCORE: ("score", "eval", "evaluate", "evaluation", "points", "material", "analyze", "analyse", "analysis"),
    "There is no clock at the prompt; qchess web has one.": ("time", "clock", "timer"),
    "Type rules: they say how this game is won.":
        ("check", "checkmate", "mate", "is it check", "am i in check"),
    "No turn can be left out; moves lists the legal moves.": ("pass", "skip", "null"),
    _MEASURED: ("measure", "collapse", "look", "observe", "measurement"),
    "record shows the game as one line; qchess export writes it to a file.": ("pgn", "fen", "copy"),
}  # fmt: skip
SENTENCES = {word: said for said, words in ANSWERED.items() for word in words}
#: these may have more behind them, such as a file or a square
_OPEN = ("save", "load", "open", "resume", "level", "measure", "collapse", "look", "observe", "new")
_WHOSE = ("who", "turn", "whose turn", "whose turn is it", "who am i", "whose move", "to move")
NAMES = {
    "pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "castle": "R", "queen": "Q", "king": "K", "horse": "H",
    "elephant": "E", "adviser": "A", "advisor": "A", "cannon": "C", "chariot": "R", "man": "", "piece": "",
}  # fmt: skip
_NAME = re.compile(rf"\b(?:the |my )?({'|'.join(NAMES)})s?\b(?:\s+(?:on|at|from)\b)?\s*(?:to\s+)?", re.IGNORECASE)
_LEAD = re.compile(r"(?:(?:please|i|i'll|move|play|go|from|do|put|split|merge|the|my)\s+)+", re.IGNORECASE)
_TAKES = re.compile(r"\s*\b(?:takes|captures|take|capture|eats|hits)\b\s*(?:on\s+)?", re.IGNORECASE)
_ONTO = re.compile(r"\s+(?:onto|into|on|at)\s+", re.IGNORECASE)
_SQUARE = re.compile(r"(?:([PNBRQKHEAC])\s*)?([a-z]\d\d?)", re.IGNORECASE)
_HALVES = re.compile(r"(split|merge)\s+(?:[PNBRQKHEAC]|the\s+|my\s+)?([a-z]\d\d?)", re.IGNORECASE)
_ODDS = re.compile(r"(?:probability|probabilities|chances?|odds)(?: of| for)? (.+)", re.IGNORECASE)
#: P-K4, N-KB3; 11-15; C2=5
_OTHER = re.compile(r"[PNBRQK][-x](?:[KQ]?[BNR]|[KQ])[1-8]|[1-9]\d?\s*[-x ]\s*[1-9]\d?|[KAEHRCP]\d[-+=.]\d")
_CASTLE = re.compile(r"castles?(?: (?:king|queen)'?s? ?side| short| long)?", re.IGNORECASE)
#: so many moves of a piece are shown
SHOWN = 8


def meant(line: str) -> str:
    """Return the command that a line means in other words, or the line itself without spaces around it."""
    line = line.strip()
    if found := _HALVES.fullmatch(line):
        return f"moves {found[2].lower()}{'^' if found[1].lower() == 'split' else ''}"
    if found := _ODDS.fullmatch(line):
        return f"odds {found[1]}"
    words = " ".join(line.lower().split())
    return WORDS.get(words) or WORDS.get(bare := words.rstrip("?!. ")) or (bare if bare == "quit" else line)


def answered(game: Game[Any, Any], line: str) -> str | None:
    """Return what is said to a line that asks for something else than a move or a command."""
    words = " ".join(line.lower().split()).rstrip("?!. ")
    if words in _WHOSE:
        return f"{game.player.capitalize()} to move." if not game.result else f"The game is over. {game.result}."
    head, _, rest = words.partition(" ")
    said = SENTENCES.get(words) or (SENTENCES[head] if head in _OPEN and rest else None)
    return said and said.replace("GAME", game.rules.name)


def plain(text: str) -> str:
    """Return a move without the words that people put around it; pieces by their letters, captures by an x."""
    text = _LEAD.sub("", text.strip(), count=1) if _LEAD.match(text.strip()) else text.strip()
    text = _NAME.sub(lambda found: NAMES[found[1].lower()], _TAKES.sub(" x", text))
    return _ONTO.sub(" to ", re.sub(r" +x(?=[a-z]\d)", "x", text)).strip()


def turn(game: Game[Any, Any], text: str) -> Turn[Any]:
    """Return the turn that a text names, also in words; what names none meets a sentence that fits the mistake."""
    if _CASTLE.fullmatch(" ".join(text.split()).rstrip(".!")):
        return _castling(game, text.lower())
    try:
        return game.rules.read_turn(game.position, text)
    except InvalidMoveError as error:
        if said := _said(game, text):
            raise IllegalMoveError(said) from error
        if (other := plain(text)) == text or not re.search(r"\d", other):
            raise
        try:
            return game.rules.read_turn(game.position, other)
        except InvalidMoveError:
            raise error from None
    except AmbiguousMoveError:
        raise
    except IllegalMoveError as error:
        if said := _said(game, text):
            raise IllegalMoveError(said) from error
        raise


def _castling(game: Game[Any, Any], text: str) -> Turn[Any]:
    """The one castling that is legal, or that is named."""
    sides = [side for side, word in (("O-O-O", r"queen|long"), ("O-O", r"king|short")) if re.search(word, text)]
    found, refused = [], QchessError("")
    for side in sides or ("O-O-O", "O-O"):
        try:
            found.append(game.rules.read_turn(game.position, side))
        except QchessError as error:
            refused = error
    if not found:
        raise refused
    if len(found) > 1:
        raise AmbiguousMoveError("castling is written O-O on the king's side, O-O-O on the queen's side")
    return found[0]


def _said(game: Game[Any, Any], text: str) -> str | None:
    """The sentence for some frequent mistakes."""
    if _OTHER.fullmatch(text):
        return (
            f"squares are named by a letter and a number here, as in {next(iter(game.moves()), 'b1-a3')}; got {text!r}"
        )
    if found := _SQUARE.fullmatch(text.strip().rstrip(".!?")):
        return _of_square(game, found[2].lower(), found[1] or "")
    words = (bare := re.sub(r"\d+\s*\.+\s*", " ", text)).split()
    if len(words) > 1 and _looks(words[1], alone=bare == text) and _is_move(game, words[0]):
        return f"one move at a time, such as {words[0]}; got {text!r}"
    return None


def _of_square(game: Game[Any, Any], square: str, letter: str) -> str | None:
    """Where the piece of a square may go, or that there is no such square."""
    view = game.view()
    if square not in view.squares:
        return f"there is no square {square}; the board has the squares {view.squares[0]} to {view.squares[-1]}"
    stands = [man.symbol.upper() for man in view.men.get(square, ())]
    if (letter and letter.upper() not in stands) or not (moves := game.moves(square)):
        return None
    more = f" and {len(moves) - SHOWN} more (moves {square})" if len(moves) > SHOWN else ""
    return f"{square!r} needs a square to go to, such as {', '.join(moves[:SHOWN])}{more}"


def of_piece(game: Game[Any, Any], text: str) -> list[str]:
    """Return the legal moves of a piece that is named by a word or a capital, such as ``knight`` or ``N``."""
    letter = NAMES.get(text.lower().removesuffix("s"), text if text.isupper() else "")
    if not letter:
        return []
    men = game.view().men
    squares = [square for square, held in men.items() if held[0].symbol.upper() == letter]
    return list(dict.fromkeys(move for square in squares for move in game.moves(square)))


def _is_move(game: Game[Any, Any], text: str) -> bool:
    try:
        game.rules.read_turn(game.position, text)
    except QchessError:
        return False
    return True


def _looks(word: str, *, alone: bool) -> bool:
    """Whether a word looks like a move; a square alone does only where moves are numbered."""
    move = r"(?:[KQRBN][a-h]?x?[a-h]\d|[a-h]x[a-h]\d|[a-h]\d-?[a-h]\d)[+#!?]*"
    return re.fullmatch(move if alone else rf"{move}|[a-h]\d", word) is not None


def about(text: str, rows: Sequence[str], rules: Sequence[str]) -> list[str]:
    """Return the rows of the help and the paragraphs of the rules that have a word in them."""
    word = text.lower().rstrip("?!.")
    begun = re.compile(rf"\b{re.escape(word.removesuffix('s') if len(word) > 3 else word)}", re.IGNORECASE)
    return [line for line in (*rows, *rules) if begun.search(line)]
