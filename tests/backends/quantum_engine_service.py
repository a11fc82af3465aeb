"""A stand-in for Google's Quantum Engine, in a process of its own: its wire format, its states, its errors.

Programs and jobs come as the vendor's client sends them and are run on the vendor's virtual machine of the
processor. Each job takes at least so many seconds. Jobs are counted, so that a test sees what was paid for.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SERVICE = "google.cloud.quantum.v1alpha1.QuantumEngineService"


def engine(address: str) -> Any:
    """The vendor's own client, for a project at this address instead of Google's."""
    import cirq_google
    import grpc
    from cirq_google.cloud.quantum_v1alpha1.services.quantum_engine_service.transports import (
        QuantumEngineServiceGrpcAsyncIOTransport as Transport,
    )

    def transport(**others: Any) -> Any:
        return Transport(channel=grpc.aio.insecure_channel(address))

    return cirq_google.Engine("here", service_args={"transport": transport})


class Service:
    """The programs and jobs of one project, on one processor."""

    def __init__(self, processor: str, wait: float) -> None:
        self.processor, self.wait = processor, wait
        self.programs: dict[str, Any] = {}
        self.jobs: dict[str, Any] = {}
        self.results: dict[str, Any] = {}
        self.lock = threading.Lock()

    def create_program(self, request: Any, context: Any) -> Any:
        program = request.quantum_program
        self._new(program.name, self.programs, context)
        self.programs[program.name] = program
        return program

    def create_job(self, request: Any, context: Any) -> Any:
        from cirq_google.cloud import quantum

        job = request.quantum_job
        with self.lock:
            self._new(job.name, self.jobs, context)
            job.execution_status.state = quantum.ExecutionStatus.State.READY
            self.jobs[job.name] = job
        threading.Timer(self.wait, self._work, (request.parent, job)).start()
        return job

    def get_job(self, request: Any, context: Any) -> Any:
        return self._found(request.name, self.jobs, context)

    def cancel_job(self, request: Any, context: Any) -> Any:
        from cirq_google.cloud import quantum
        from google.protobuf import empty_pb2

        self._found(request.name, self.jobs, context).execution_status.state = quantum.ExecutionStatus.State.CANCELLED
        return empty_pb2.Empty()

    def get_result(self, request: Any, context: Any) -> Any:
        return self._found(request.parent, self.results, context)

    def get_processor(self, request: Any, context: Any) -> Any:
        from cirq_google.cloud import quantum
        from cirq_google.engine.virtual_engine_factory import create_device_spec_from_processor_id

        if not request.name.endswith(f"/{self.processor}"):
            self._refuse(request.name, context)
        spec = create_device_spec_from_processor_id(self.processor)
        key = quantum.DeviceConfigKey(run="current", config_alias="default")
        return quantum.QuantumProcessor(name=request.name, device_spec=_packed(spec), default_device_config_key=key)

    def get_calibration(self, request: Any, context: Any) -> Any:
        from cirq_google import engine
        from cirq_google.cloud import quantum

        if f"/{self.processor}/" not in request.name:
            self._refuse(request.name, context)
        found = engine.load_median_device_calibration(self.processor)
        return quantum.QuantumCalibration(name=request.name, data=_packed(found.to_proto()))

    def _work(self, program: str, job: Any) -> None:
        """Runs a job on the virtual machine."""
        from cirq_google.cloud import quantum

        state = quantum.ExecutionStatus.State
        if job.execution_status.state == state.CANCELLED:
            return
        try:
            self.results[job.name] = quantum.QuantumResult(parent=job.name, result=self._measured(program, job))
            job.execution_status.state = state.SUCCESS
        except Exception as error:  # noqa: BLE001 (the service tells it to whoever asks for the job)
            job.execution_status.failure.error_message = str(error)
            job.execution_status.state = state.FAILURE

    def _measured(self, program: str, job: Any) -> Any:
        from cirq_google.api import v2
        from cirq_google.serialization.circuit_serializer import CIRCUIT_SERIALIZER

        from qchess.backends.google import vendor

        circuit = CIRCUIT_SERIALIZER.deserialize(_unpacked(self.programs[program].code, v2.program_pb2.Program()))
        asked = _unpacked(job.run_context, v2.run_context_pb2.RunContext()).parameter_sweeps[0].repetitions
        qubits = len(circuit.all_qubits())
        found = vendor.virtual_machine(self.processor, 7, qubits).run(circuit, repetitions=asked)
        return _packed(v2.results_to_proto([[found]], v2.find_measurements(circuit)))

    def _found(self, name: str, known: dict[str, Any], context: Any) -> Any:
        if name not in known:
            self._refuse(name, context)
        return known[name]

    def _refuse(self, name: str, context: Any) -> None:
        import grpc

        context.abort(grpc.StatusCode.NOT_FOUND, f"{name} was not found")

    def _new(self, name: str, known: dict[str, Any], context: Any) -> None:
        import grpc

        if name in known:
            context.abort(grpc.StatusCode.ALREADY_EXISTS, f"{name} is there")


def _packed(message: Any) -> Any:
    from google.protobuf import any_pb2

    made = any_pb2.Any()
    made.Pack(message)
    return made


def _unpacked(packed: Any, into: Any) -> Any:
    packed.Unpack(into)
    return into


def serve(port_file: Path, processor: str, wait: float, life: float) -> None:
    """Serves on a free port of this machine alone, which the file tells, and ends after so many seconds."""
    import grpc
    from cirq_google.cloud.quantum_v1alpha1.types import engine as asks
    from cirq_google.cloud.quantum_v1alpha1.types import quantum as told
    from google.protobuf import empty_pb2

    here = Service(processor, wait)
    methods: dict[str, tuple[Callable[..., Any], Any, Any]] = {
        "CreateQuantumProgram": (here.create_program, asks.CreateQuantumProgramRequest, told.QuantumProgram),
        "CreateQuantumJob": (here.create_job, asks.CreateQuantumJobRequest, told.QuantumJob),
        "GetQuantumJob": (here.get_job, asks.GetQuantumJobRequest, told.QuantumJob),
        "GetQuantumResult": (here.get_result, asks.GetQuantumResultRequest, told.QuantumResult),
        "GetQuantumProcessor": (here.get_processor, asks.GetQuantumProcessorRequest, told.QuantumProcessor),
        "GetQuantumCalibration": (here.get_calibration, asks.GetQuantumCalibrationRequest, told.QuantumCalibration),
    }  # fmt: skip
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(
            method, request_deserializer=ask.deserialize, response_serializer=answer.serialize
        )
        for name, (method, ask, answer) in methods.items()
    }
    handlers["CancelQuantumJob"] = grpc.unary_unary_rpc_method_handler(
        here.cancel_job, request_deserializer=asks.CancelQuantumJobRequest.deserialize,
        response_serializer=empty_pb2.Empty.SerializeToString,
    )  # fmt: skip
    server = grpc.server(ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    _tell(port_file, str(port))
    end = time.monotonic() + life
    while time.monotonic() < end and os.getppid() != 1:  # whoever started it may have gone
        _tell(port_file.with_suffix(".jobs"), "\n".join(here.jobs))
        time.sleep(0.05)
    server.stop(0)


def _tell(file: Path, text: str) -> None:
    """Writes a file that is never seen half written."""
    beside = file.with_suffix(".new")
    beside.write_text(text)
    beside.replace(file)
