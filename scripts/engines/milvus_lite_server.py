"""Milvus Lite behind a few lines of Milvus' REST interface, for tests: milvus_lite_server.py PORT MILVUS_LITE_PORT.

Milvus Lite speaks gRPC only. Expressions, vectors and scores go through it unchanged; the paths, codes and bodies are written
after the documentation of Milvus 2.6, and only what the client uses is here.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from pymilvus import DataType, MilvusClient

PORT, LITE = int(sys.argv[1]), sys.argv[2]
LOCK = Lock()
CLIENT = MilvusClient(f"http://127.0.0.1:{LITE}")
TYPES = {"VarChar": DataType.VARCHAR, "Int64": DataType.INT64, "JSON": DataType.JSON, "FloatVector": DataType.FLOAT_VECTOR}


class NoCollection(Exception):
    pass


def create(body):
    given = body["schema"]
    schema = CLIENT.create_schema(auto_id=given["autoId"], enable_dynamic_field=given["enableDynamicField"])
    for field in given["fields"]:
        parameters = {name: int(value) for name, value in field.get("elementTypeParams", {}).items()}
        primary = field.get("isPrimary", False)
        schema.add_field(field["fieldName"], TYPES[field["dataType"]], is_primary=primary, **parameters)
    index = CLIENT.prepare_index_params()
    for one in body["indexParams"]:
        index.add_index(one["fieldName"], index_name=one["indexName"], index_type=one["indexType"], metric_type=one["metricType"])
    level = body["params"]["consistencyLevel"]
    CLIENT.create_collection(body["collectionName"], schema=schema, index_params=index, consistency_level=level)
    CLIENT.load_collection(body["collectionName"])
    return {}


def describe(body):
    found = CLIENT.describe_collection(body["collectionName"])
    pairs = lambda given: [{"key": key, "value": str(value)} for key, value in given.items()]
    return {"fields": [{"name": one["name"], "params": pairs(one.get("params", {}))} for one in found["fields"]]}


def search(body):
    found = CLIENT.search(
        body["collectionName"],
        body["data"],
        anns_field=body["annsField"],
        filter=body["filter"],
        limit=body["limit"],
        output_fields=body["outputFields"],
        consistency_level=body["consistencyLevel"],
    )
    return [{"distance": one["distance"], **one["entity"]} for one in found[0]]


ROUTES = {
    "collections/list": lambda body: CLIENT.list_collections(),
    "collections/create": create,
    "collections/describe": describe,
    "entities/upsert": lambda body: CLIENT.upsert(body["collectionName"], body["data"]) and {},
    "entities/delete": lambda body: CLIENT.delete(body["collectionName"], filter=body["filter"]) and {},
    "entities/search": search,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "null")
        try:
            with LOCK:
                name = body.get("collectionName")
                what = self.path.removeprefix("/v2/vectordb/")
                if name and what != "collections/create" and not CLIENT.has_collection(name):
                    answer = {"code": 100, "message": f"can't find collection[collection={name}]"}
                else:
                    answer = {"code": 0, "data": ROUTES[what](body)}
        except Exception as error:
            answer = {"code": 65535, "message": f"{type(error).__name__}: {error}"}
        text = json.dumps(answer, default=str).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
