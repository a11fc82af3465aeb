"""Makes the device of `tests.web.foreign` known, in the process of a server and of its workers."""

from qchess.backends.catalogue import Row, register
from tests.web.foreign import NAME

register(Row(NAME, "a device with names of its own", "tests.web.foreign:foreign"))
