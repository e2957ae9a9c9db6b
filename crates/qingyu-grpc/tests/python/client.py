"""Makes stubs of our description, then makes a story, answers a production's question and stops it."""

import sys
from pathlib import Path

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status
from grpc_tools import protoc

address, proto, stubs = sys.argv[1:]
files = [str(path.relative_to(proto)) for path in sorted(Path(proto).rglob("*.proto"))]
well_known = Path(protoc.__file__).parent / "_proto"
made = protoc.main(["protoc", f"-I{proto}", f"-I{well_known}", f"--python_out={stubs}", f"--grpc_python_out={stubs}", *files])
assert made == 0, made
sys.path.insert(0, stubs)

from qingyu.v1 import order_pb2, run_pb2, run_pb2_grpc  # noqa: E402

channel = grpc.insecure_channel(address)

database = ProtoReflectionDescriptorDatabase(channel)
assert "qingyu.v1.RunService" in database.get_services(), database.get_services()
service = DescriptorPool(database).FindServiceByName("qingyu.v1.RunService")
assert "WatchRun" in [method.name for method in service.methods]
print("reflected")

health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service="qingyu.v1.RunService"))
assert health.status == health_pb2.HealthCheckResponse.SERVING, health
print("healthy")

runs = run_pb2_grpc.RunServiceStub(channel)
create = order_pb2.Start(create=order_pb2.CreateWork(requirement="一个灯塔看守人收到自己三十年前寄出的信"))
events = [sent.event for sent in runs.StartAndWatchRun(run_pb2.StartAndWatchRunRequest(start=create), timeout=120)]
assert events[-1].WhichOneof("detail") == "summary", events[-1]
got = runs.GetRun(run_pb2.GetRunRequest(run=events[0].run), timeout=30)
assert got.status == run_pb2.RUN_STATUS_DONE and len(got.document["characters"]) > 0, got
print("created")

produce = order_pb2.Start(produce=order_pb2.ProduceWork(premise="为独立开发者写一门关于定价的短课程"))
run = runs.StartRun(run_pb2.StartRunRequest(start=produce), timeout=30).run
events = [sent.event for sent in runs.WatchRun(run_pb2.WatchRunRequest(run=run), timeout=120)]
assert events[-1].question.asks == "turn" and events[-1].question.text, events[-1]
answer = order_pb2.Answer(order=order_pb2.Order(say="给第一次定价的人看。"))
runs.ResumeRun(run_pb2.ResumeRunRequest(run=run, answer=answer), timeout=30)
after = [sent.event for sent in runs.WatchRun(run_pb2.WatchRunRequest(run=run, after=events[-1].seq), timeout=120)]
assert after[-1].kind == "waiting" and after[-1].seq > events[-1].seq, after[-1]
print("answered")

stopped = run_pb2_grpc.RunServiceStub(channel).StartRun(run_pb2.StartRunRequest(start=create), timeout=30).run
runs.CancelRun(run_pb2.CancelRunRequest(run=stopped), timeout=30)
last = [sent.event for sent in runs.WatchRun(run_pb2.WatchRunRequest(run=stopped), timeout=60)][-1]
# The offline model may have been faster than we.
assert last.kind in ("interrupted", "completed"), last
print("cancelled")

try:
    runs.GetRun(run_pb2.GetRunRequest(run="r-none"), timeout=30)
    raise AssertionError("there is such a run")
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.NOT_FOUND, error
    info = error_details_pb2.ErrorInfo()
    details = [detail for detail in rpc_status.from_call(error).details if detail.Unpack(info)]
    assert details and info.reason == "UNKNOWN_RUN" and info.domain == "qingyu", details
print("refused")
