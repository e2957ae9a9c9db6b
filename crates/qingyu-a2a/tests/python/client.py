"""Completes real runs over every binding with the official client."""

import asyncio
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as pb
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Value

REQUIREMENT = "一个灯塔看守人收到自己三十年前寄出的信"
PREMISE = "为独立开发者写一门关于定价的短课程"


def data(fields):
    value = Value()
    value.struct_value.update(fields)
    return pb.Part(data=value)


def request(*parts, **fields):
    message = pb.Message(message_id=str(uuid.uuid4()), role=pb.ROLE_USER, parts=parts, **fields)
    return pb.SendMessageRequest(message=message)


async def sent(client, asked):
    """The updates of a message, the task they are of, and the state they leave it in."""
    updates = [update async for update in client.send_message(asked)]
    first = updates[0]
    assert first.HasField("task"), first
    last = updates[-1]
    state = last.status_update.status.state if last.HasField("status_update") else last.task.status.state
    return updates, first.task, state


async def try_binding(card, binding):
    import grpc.aio

    http = httpx.AsyncClient(timeout=60)
    for streaming in (True, False):
        config = ClientConfig(
            httpx_client=http,
            streaming=streaming,
            supported_protocol_bindings=[binding],
            grpc_channel_factory=grpc.aio.insecure_channel,
        )
        client = ClientFactory(config).create(card)

        # A story, from a sentence.
        updates, task, state = await sent(client, request(pb.Part(text=REQUIREMENT)))
        assert state == pb.TASK_STATE_COMPLETED, updates[-1]
        got = await client.get_task(pb.GetTaskRequest(id=task.id))
        outcome = MessageToDict(got.artifacts[0].parts[0].data)
        assert outcome["status"] == "done" and outcome["characters"], outcome
        if streaming:
            assert len(updates) > 5, len(updates)
            assert updates[0].task.status.state == pb.TASK_STATE_SUBMITTED

        # A production, which asks; the same task takes the answer.
        produce = request(pb.Part(text=PREMISE), data({"skill": "produce"}))
        updates, task, state = await sent(client, produce)
        assert state == pb.TASK_STATE_INPUT_REQUIRED, updates[-1]
        asked = await client.get_task(pb.GetTaskRequest(id=task.id))
        assert asked.status.message.parts[0].text, asked.status
        answer = request(pb.Part(text="给刚开始卖软件的开发者"), task_id=task.id, context_id=task.context_id)
        updates, again, state = await sent(client, answer)
        assert again.id == task.id
        assert state in (pb.TASK_STATE_INPUT_REQUIRED, pb.TASK_STATE_COMPLETED), updates[-1]
        if streaming:
            followed = [update async for update in client.subscribe(pb.SubscribeToTaskRequest(id=task.id))]
            assert followed[0].task.id == task.id
        given_up = await client.cancel_task(pb.CancelTaskRequest(id=task.id))
        assert given_up.status.state == pb.TASK_STATE_CANCELED

        # A text reviewed: a message, and no task.
        review = request(pb.Part(text="雨下了一夜。"), data({"skill": "review"}))
        updates = [update async for update in client.send_message(review)]
        assert len(updates) == 1 and updates[0].HasField("message"), updates

        listed = await client.list_tasks(pb.ListTasksRequest(page_size=1))
        assert len(listed.tasks) == 1 and listed.next_page_token, listed
        card_of_mine = await client.get_extended_agent_card(pb.GetExtendedAgentCardRequest())
        assert any(interface.tenant for interface in card_of_mine.supported_interfaces)
        try:
            await client.get_task(pb.GetTaskRequest(id="nobody"))
        except Exception as error:
            assert type(error).__name__ == "TaskNotFoundError", repr(error)
        else:
            raise AssertionError("there is no such task")
    print(f"{binding}: done")


async def main(url):
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, url).get_agent_card()
    for binding in ("JSONRPC", "HTTP+JSON", "GRPC"):
        await try_binding(card, binding)


asyncio.run(main(sys.argv[1]))
