"""The engine of Qdrant behind a few lines of its REST interface, for tests: qdrant_edge_server.py PORT FOLDER.

Points, filters and scores are those of qdrant-edge, which is Qdrant's own engine in a process. The paths, statuses and bodies
are written after the documentation of Qdrant 1.19; only what the client uses is here.
"""

import itertools
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import urlsplit

import qdrant_edge as edge

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
LOCK = Lock()
COLLECTIONS = {}
NUMBERS = itertools.count()


def condition(given):
    if "key" in given:
        match, ranged = given.get("match"), given.get("range")
        if match is not None:
            kind, value = next(iter(match.items()))
            match = {"value": edge.MatchValue, "any": edge.MatchAny, "substring": edge.MatchSubstring}[kind](value)
        if ranged is not None:
            ranged = edge.RangeFloat(**ranged)
        return edge.FieldCondition(key=given["key"], match=match, range=ranged)
    if "is_empty" in given:
        return edge.IsEmptyCondition(given["is_empty"]["key"])
    if "has_id" in given:
        return edge.HasIdCondition(set(given["has_id"]))
    return whole(given)


def whole(given):
    unknown = set(given) - {"must", "should", "must_not"}
    if unknown:
        raise ValueError(f"unknown condition {unknown}")
    return edge.Filter(**{name: [condition(one) for one in given[name]] for name in given})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, result=None, error=None):
        body = {"status": {"error": error} if error else "ok", "result": result, "time": 0.0}
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def work(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "null")
        parts = urlsplit(self.path).path.strip("/").split("/")
        try:
            with LOCK:
                self.route(parts, body)
        except Exception as error:
            self.answer(400, error=f"{type(error).__name__}: {error}")

    do_GET = do_PUT = do_POST = work

    def route(self, parts, body):
        if parts == ["collections"] and self.command == "GET":
            return self.answer(200, {"collections": [{"name": name} for name in COLLECTIONS]})
        name, rest = parts[1], parts[2:]
        if not rest and self.command == "PUT":
            if name in COLLECTIONS:
                return self.answer(409, error=f"Collection `{name}` already exists!")
            size = body["vectors"]["size"]
            distance = {"Dot": edge.Distance.Dot}[body["vectors"]["distance"]]
            folder = os.path.join(FOLDER, str(next(NUMBERS)))
            os.makedirs(folder)
            config = edge.EdgeConfig(vectors=edge.EdgeVectorParams(size=size, distance=distance))
            COLLECTIONS[name] = (edge.EdgeShard.create(folder, config), size)
            return self.answer(200, True)
        if name not in COLLECTIONS:
            return self.answer(404, error=f"Not found: Collection `{name}` doesn't exist!")
        shard, size = COLLECTIONS[name]
        if not rest:
            vectors = {"size": size, "distance": "Dot"}
            return self.answer(200, {"config": {"params": {"vectors": vectors}}})
        if rest == ["index"]:
            schema = {"keyword": edge.PayloadSchemaType.Keyword}[body["field_schema"]]
            shard.update(edge.UpdateOperation.create_field_index(body["field_name"], schema))
        elif rest == ["points"]:
            points = [edge.Point(one["id"], one["vector"], one["payload"]) for one in body["points"]]
            shard.update(edge.UpdateOperation.upsert_points(points))
        elif rest == ["points", "delete"]:
            shard.update(edge.UpdateOperation.delete_points_by_filter(whole(body["filter"])))
        elif rest == ["points", "query"]:
            request = edge.QueryRequest(
                query=edge.Query.Nearest(body["query"]),
                filter=whole(body["filter"]),
                limit=body["limit"],
                params=edge.SearchParams(exact=body["params"]["exact"]),
                with_payload=body["with_payload"],
            )
            found = shard.query(request)
            points = [{"id": str(one.id), "score": one.score, "payload": one.payload} for one in found]
            return self.answer(200, {"points": points})
        else:
            return self.answer(404, error=f"no such path: {self.path}")
        return self.answer(200, {"operation_id": 0, "status": "completed"})


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
