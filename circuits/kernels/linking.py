"""Load machine code through llvmlite, without numba: about 30 ms for the import, 3 ms for an object."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

from qchess.circuits.kernels.signatures import Signature

#: the name of an entry point in an object
ENTRY = "qchess_{}"
RESULT_TYPES = {"void": None, "int64": ctypes.c_int64, "float64": ctypes.c_double}


#: the first bytes of objects: ELF (on Windows too, for LLVM's in-memory linker) and Mach-O
MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe")


def is_object(code: bytes) -> bool:
    """Tell whether this looks like machine code: otherwise LLVM would end the process."""
    return code.startswith(MAGIC)


class Linked:
    """An object in memory; its functions are valid as long as it exists."""

    def __init__(self, code: bytes) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()

    def function(self, name: str, signature: Signature) -> Callable[[Any], Any] | None:
        """Return the function that takes the frame's address or bytes, or None."""
        address = self.engine.get_function_address(ENTRY.format(name))
        if not address:
            return None
        return ctypes.CFUNCTYPE(RESULT_TYPES[signature.result], ctypes.c_void_p)(address)

    def functions(self, signatures: Iterable[tuple[str, Signature]]) -> dict[str, Callable[[Any], Any]]:
        """Return all functions by kernel name; none at all if one is missing."""
        found = {name: self.function(name, signature) for name, signature in signatures}
        return {name: function for name, function in found.items() if function} if all(found.values()) else {}


def object_from_bitcode(bitcode: bytes) -> bytes:
    """Return this computer's machine code from the portable form; RuntimeError if this LLVM is too old."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(bitcode)
    return emitted(module, llvm.Target.from_default_triple(), llvm.get_process_triple())


def emitted(module: Any, target: Any, triple: str, cpu: str = "") -> bytes:
    """Return the machine code of a module for any processor of one target."""
    machine = target.create_target_machine(cpu=cpu, opt=3, reloc="pic", codemodel="default")
    module.triple = triple
    module.data_layout = str(machine.target_data)
    code: bytes = machine.emit_object(module)
    return code
