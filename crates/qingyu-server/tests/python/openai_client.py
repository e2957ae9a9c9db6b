"""The official client of chat completions at the server: models, an answer, a stream, errors."""

import sys

import openai

url, project = sys.argv[1:]
client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)

models = [model.id for model in client.models.list()]
assert "qingyu" in models and f"qingyu-creative@{project}" in models, models
assert client.models.retrieve(f"qingyu@{project}").id == f"qingyu@{project}"

asked = [
    {"role": "system", "content": "答得短些。"},
    {"role": "user", "content": "林青推开了什么？"},
]
whole = client.chat.completions.create(model=f"qingyu@{project}", messages=asked)
assert whole.choices[0].finish_reason == "stop", whole
assert whole.choices[0].message.content, whole
assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens, whole
for annotation in whole.choices[0].message.annotations or []:
    cited = annotation.url_citation
    assert cited.title and cited.url.startswith(f"qingyu://project/{project}/") and cited.quote, annotation
print("answered:", whole.choices[0].message.content.splitlines()[0])

chunks = list(
    client.chat.completions.create(
        model="qingyu",
        messages=asked,
        stream=True,
        stream_options={"include_usage": True},
        extra_headers={"X-Qingyu-Project": project},
    )
)
pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]
assert all(len(piece) < 100 for piece in pieces), pieces
words = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
assert words == whole.choices[0].message.content, words
assert chunks[-1].usage.total_tokens == whole.usage.total_tokens, chunks[-1]
assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop", chunks
print("streamed:", len(chunks))

# A task that cannot be done is no answer.
try:
    client.chat.completions.create(
        model=f"qingyu-analysis@{project}", messages=[{"role": "user", "content": "分析第一章的节奏"}]
    )
    raise SystemExit("an analysis of nothing was answered")
except openai.UnprocessableEntityError as error:
    assert error.code == "parts_failed", error
print("failed: 1")

for model, kind, code in [
    ("gpt-none", openai.NotFoundError, "model_not_found"),
    ("qingyu@nowhere", openai.NotFoundError, "unknown_project"),
]:
    try:
        client.chat.completions.create(model=model, messages=asked)
        raise SystemExit(f"{model} answered")
    except kind as error:
        assert error.code == code, error
for field, value in [("tools", [{"type": "function", "function": {"name": "f"}}]), ("logprobs", True)]:
    try:
        client.chat.completions.create(model=f"qingyu@{project}", messages=asked, **{field: value})
        raise SystemExit(f"{field} was passed over")
    except openai.BadRequestError as error:
        assert error.param == field, error
try:
    client.chat.completions.create(model=f"qingyu@{project}", messages=[])
    raise SystemExit("nothing was answered")
except openai.BadRequestError as error:
    assert error.param == "messages", error
print("refused: 5")
