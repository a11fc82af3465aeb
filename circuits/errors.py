"""The errors that circuits and backends raise; all are ``ValueError``.

A message says what was expected, what came, and where.
"""


class QchessError(ValueError):
    """Whatever this project refuses; the root of its errors."""


class ProgramError(QchessError):
    """This is no operation, question or program: the text or the parts do not fit."""


class BackendError(QchessError):
    """The program is sound, but this backend cannot do it."""


class UnknownBackendError(BackendError):
    """No backend has this name."""


class MissingExtraError(BackendError, ImportError):
    """The backend needs a package that is not installed; the message names the extra."""


class ImpossibleOutcomeError(BackendError):
    """An answer was forced whose exact probability is 0."""


class StateTooLargeError(BackendError):
    """The operation would pass the branch limit; nothing was changed."""
