#!/usr/bin/env python3
"""Writes crates/qingyu-llm/data/models.toml from the data of litellm and genai-prices, which must be installed.

What the two do not say, or say wrongly, stands in CORRECTIONS, each with the vendor's page that says so. With --check
nothing is written: every preference of providers.toml and every model that defaults.toml names must be known and not be
past its retirement.
"""

import datetime
import importlib.metadata
import importlib.util
import json
import re
import sys
import tomllib
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "crates/qingyu-llm/data/models.toml"
PROVIDERS = ROOT / "crates/qingyu-llm/src/providers.toml"
DEFAULTS = ROOT / "crates/qingyu-studio/src/settings/defaults.toml"

# Our providers, by the names that litellm has for them; the first that knows a model is believed.
SOURCES = {
    "anthropic": ["anthropic"],
    "deepseek": ["deepseek"],
    "doubao": ["volcengine"],
    "gemini": ["gemini"],
    "minimax": ["minimax"],
    "moonshot": ["moonshot"],
    "openai": ["openai"],
    "qwen": ["dashscope"],
    "zhipu": ["bigmodel", "zai"],
}
# Models of vendors that OpenRouter passes on, from genai-prices: it says no more of them than what they cost.
OPENROUTER = re.compile(r"(anthropic/claude-(fable|haiku|opus|sonnet)-[456]|deepseek/deepseek-(flash|v4)|google/gemini-3|moonshotai/kimi-k|openai/gpt-[56]|qwen/qwen3\.|z-ai/glm-[45])")
# Not for prose: other media, search, code, other customers.
UNFIT = re.compile(
    r"audio|image|-tts|realtime|embedding|search|robotics|computer-use|deep-research|codex|-code|coder|cyber|daybreak|rosalind"
    r"|-law|lyria|omni|gemma|learnlm|vision|-vl-|translate|gemini-exp|gpt-3\.5|customtools|^ft:|highspeed|mythos|^glm-4-7-2|5v-"
)

# What the catalogues leave out. A pattern, in which * stands for anything, and fields of a row.
CORRECTIONS = [
    # "Set the response_format parameter to {'type': 'json_object'}": https://api-docs.deepseek.com/guides/json_mode
    # Thinking is on by default, with the efforts low, high and max: https://api-docs.deepseek.com/guides/thinking_mode
    ("deepseek/*", {"output": "json_object"}),
    ("deepseek/deepseek-flash", {"thinking": "on", "efforts": ["low", "high", "max"]}),
    ("deepseek/deepseek-v4-*", {"thinking": "on", "efforts": ["low", "high", "max"]}),
    # "V4 Flash is retired": its name was redirected on 2026-09-10 and is refused since: https://api-docs.deepseek.com/updates
    ("deepseek/deepseek-v4-flash*", {"retires": "2026-09-10"}),
    ("deepseek/deepseek-v3*", {"retires": "2026-07-24"}),
    ("deepseek/deepseek-r1*", {"retires": "2026-07-24"}),
    # Reasoning models take the default temperature only: https://platform.openai.com/docs/guides/reasoning
    ("openai/o*", {"sampling": False}),
    ("openai/gpt-5*", {"sampling": False}),
    ("openai/gpt-6*", {"sampling": False}),
    # Sampling is fixed, and with K3 so is thinking: https://platform.kimi.ai/docs/api/models-overview
    ("moonshot/kimi-*", {"sampling": False}),
    ("moonshot/kimi-k2.6", {"thinking": "on", "efforts": []}),
    # The K2 series goes at the end of the year: https://platform.kimi.ai/docs/pricing/chat
    ("moonshot/kimi-k2.6", {"retires": "2026-12-31"}),
    ("moonshot/kimi-k3*", {"thinking": "always", "efforts": ["low", "high", "max"]}),
    # https://docs.bigmodel.cn/cn/guide/capabilities/thinking
    ("zhipu/glm-*", {"output": "json_object"}),
    ("zhipu/glm-5*", {"thinking": "on", "efforts": []}),
    # "low / medium 映射为 high", and the default is max: the same page.
    ("zhipu/glm-5.2*", {"efforts": ["high", "max"]}),
    # "GLM-5.3 always reasons (thinking cannot be disabled); effort levels low|high|max", as models.dev has it from
    # https://docs.bigmodel.cn/cn/guide/models/text/glm-5.3
    ("zhipu/glm-5.3*", {"thinking": "always", "efforts": ["low", "high", "max"]}),
    # "GLM only accepts tool_choice=auto": https://java.agentscope.io/v2/en/integration/model/glm
    ("zhipu/glm-*", {"forced_tools": False}),
    ("zhipu/glm-4.7*", {"thinking": "on", "efforts": []}),
    ("zhipu/glm-4.6*", {"thinking": "on", "efforts": []}),
    # These two are free: https://open.bigmodel.cn/pricing
    ("zhipu/glm-4.7-flash", {"free": True}),
    ("zhipu/glm-4.5-flash", {"free": True}),
    # Mixed-thinking models think unless enable_thinking is false: https://help.aliyun.com/zh/model-studio/deep-thinking
    ("qwen/qwen3*", {"thinking": "on", "efforts": []}),
    # A model that only thinks has no JSON mode: https://help.aliyun.com/zh/model-studio/json-mode
    ("qwen/*-thinking*", {"thinking": "always", "output": "text"}),
    ("qwen/qwq*", {"thinking": "always", "output": "text"}),
    # https://www.volcengine.com/docs/82379/1449737
    ("doubao/doubao-seed-2*", {"thinking": "on", "efforts": ["minimal", "low", "medium", "high"]}),
    # Language models after 250615 have JSON modes, in beta; the schema of json_schema is bound to a list of models that names none of
    # these: https://www.volcengine.com/docs/82379/1568221 and 1958523
    ("doubao/doubao-seed-2*", {"output": "json_object"}),
    # Gemini 3 always thinks: https://ai.google.dev/gemini-api/docs/openai
    ("gemini/gemini-3*", {"thinking": "always", "efforts": ["low", "medium", "high"]}),
    # 3.7 and 3.8 Flash have no MINIMAL, these have: https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
    ("gemini/gemini-3-flash*", {"efforts": ["minimal", "low", "medium", "high"]}),
    ("gemini/gemini-3.5-flash-lite*", {"efforts": ["minimal", "low", "medium", "high"]}),
    ("gemini/gemini-3.6-flash*", {"efforts": ["minimal", "low", "medium", "high"]}),
    # M2 cannot be kept from it; M3 thinks as it sees fit, or not at all: https://platform.minimax.io/docs/api-reference/text-openai-api
    # and https://platform.minimax.io/docs/api-reference/responses-create. Neither page has a response_format or a tool_choice.
    ("minimax/*", {"thinking": "always", "efforts": [], "forced_tools": False}),
    ("minimax/MiniMax-M3*", {"thinking": "on", "adaptive": True}),
]
# The offline model of this program, which is in no catalogue.
OFFLINE = ("offline-rules-1", {"rules": True, "price": {"currency": "USD", "input": 0, "output": 0}})
EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]


def main() -> None:
    # Importing litellm would import everything that it talks to.
    folder = Path(importlib.util.find_spec("litellm").submodule_search_locations[0])
    catalogue = json.loads((folder / "model_prices_and_context_window_backup.json").read_text())
    if "--check" in sys.argv[1:]:
        check(tomllib.loads(TARGET.read_text()))
        return
    rows = dict([OFFLINE])
    for provider, sources in SOURCES.items():
        for source in reversed(sources):
            rows.update(rows_of(provider, source, catalogue))
    rows.update(openrouter())
    for name, row in rows.items():
        correct(name, row)
    about = f"litellm {importlib.metadata.version('litellm')} and genai-prices {importlib.metadata.version('genai-prices')}"
    write(about, rows)


def rows_of(provider: str, source: str, catalogue: dict) -> dict:
    rows = {}
    for name, entry in catalogue.items():
        if entry.get("litellm_provider") != source or entry.get("mode") != "chat" or not entry.get("max_input_tokens"):
            continue
        model = name.removeprefix(f"{source}/")
        if not UNFIT.search(model):
            rows[f"{provider}/{model}"] = row_of(entry)
    return rows


def row_of(entry: dict) -> dict:
    says = entry.get
    row = {"context": says("max_input_tokens"), "answer": says("max_output_tokens") or says("max_tokens")}
    if says("supports_response_schema") or says("supports_native_structured_output"):
        row["output"] = "json_schema"
    if says("supports_reasoning"):
        row["thinking"] = thinking(entry)
        row["efforts"] = efforts(entry)
    if says("supports_adaptive_thinking"):
        row["adaptive"] = True
    if says("supports_sampling_params") is False:
        row["sampling"] = False
    if says("supports_forced_tool_use") is False or says("supports_tool_choice") is False:
        row["forced_tools"] = False
    if says("supports_prompt_caching"):
        row["caching"] = True
    if says("deprecation_date"):
        row["retires"] = says("deprecation_date")
    price = price_of(entry)
    if price:
        row["price"] = price
    return row


def thinking(entry: dict) -> str:
    if entry["litellm_provider"] == "openai":
        # https://platform.openai.com/docs/guides/reasoning: only the effort "none" keeps a reasoning model from it.
        return "on" if entry.get("supports_none_reasoning_effort") else "always"
    return "always" if entry.get("thinking_always_on") else "on" if entry.get("thinking_on_by_default") else "off"


def efforts(entry: dict) -> list:
    if entry.get("reasoning_effort_levels"):
        return [level for level in EFFORTS if level in entry["reasoning_effort_levels"]]
    usual = ["low", "medium", "high"]
    # The catalogue says what a model has beside these.
    said = [level for level in EFFORTS if entry.get(f"supports_{level}_reasoning_effort")]
    if entry["litellm_provider"] == "anthropic":
        return [level for level in EFFORTS if level in usual + said] if entry.get("supports_output_config") or said else []
    return [level for level in EFFORTS if level in usual + said] if entry["litellm_provider"] == "openai" else []


def price_of(entry: dict):
    # Nothing is what the catalogue says of models whose price it does not know.
    if not entry.get("input_cost_per_token") or not entry.get("output_cost_per_token"):
        return None
    price = {"currency": "USD", **costs(entry, "")}
    tiers = {int(kilo) for key in entry for kilo in re.findall(r"^input_cost_per_token_above_(\d+)k_tokens$", key)}
    if tiers:
        above = min(tiers)
        price["long"] = {"above": above * 1000, **costs(entry, f"_above_{above}k_tokens")}
    if "off_peak_pricing" in entry:
        off_peak = entry["off_peak_pricing"]
        windows = [
            {"weekdays": window["weekdays"], "hours": hours if isinstance(hours := window["hours_utc"], list) else [hours]}
            for window in off_peak["windows"]
        ]
        price["off_peak"] = {**costs(off_peak, ""), "windows": windows}
    return price


def costs(entry: dict, suffix: str) -> dict:
    names = {
        "input": "input_cost_per_token",
        "cached": "cache_read_input_token_cost",
        "written": "cache_creation_input_token_cost",
        "output": "output_cost_per_token",
    }
    said = {ours: entry.get(theirs + suffix) for ours, theirs in names.items()}
    return {name: per_million(cost) for name, cost in said.items() if cost or (cost == 0 and name in ("input", "output"))}


def per_million(cost: float):
    value = round(Decimal(repr(cost)) * 1_000_000, 6).normalize()
    return int(value) if value == value.to_integral_value() else float(value)


def openrouter() -> dict:
    from genai_prices import data

    rows = {}
    provider = next(provider for provider in data.providers if provider.id == "openrouter")
    for model in provider.models:
        if not OPENROUTER.match(model.id) or UNFIT.search(model.id) or ":" in model.id or model.deprecated:
            continue
        prices = model.prices if not isinstance(model.prices, list) else model.prices[-1].prices
        known = {"input": prices.input_mtok, "cached": prices.cache_read_mtok, "written": prices.cache_write_mtok, "output": prices.output_mtok}
        # Prices by length are another type; the first step is the usual one.
        known = {name: getattr(price, "base", price) for name, price in known.items() if price is not None}
        if known.get("input") and known.get("output"):
            known = {name: float(price) for name, price in known.items()}
            rows[f"openrouter/{model.id}"] = {"price": {"currency": "USD", **known}}
    return rows


def correct(name: str, row: dict) -> None:
    for pattern, fields in CORRECTIONS:
        if re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name):
            row.update(fields)
    if row.pop("free", False):
        row["price"] = {"currency": "USD", "input": 0, "output": 0}
    for field in ("efforts", "answer"):
        if not row.get(field):
            row.pop(field, None)


def write(about: str, rows: dict) -> None:
    lines = []
    for name, row in sorted(rows.items(), key=lambda item: natural(item[0])):
        lines += ["", f"[models.{json.dumps(name)}]"]
        lines += [f"{field} = {toml(value)}" for field, value in row.items()]
    body = "\n".join(lines) + "\n"
    old = TARGET.read_text() if TARGET.exists() else ""
    # The date is that of the last change.
    same = old.split("\n\n", 2)[-1].strip() == body.strip()
    date = tomllib.loads(old)["date"] if same else datetime.date.today().isoformat()
    head = f"# Made by `make models-catalogue` from {about}, both under the MIT licence. Not to be\n"
    head += "# edited: what they leave out or say wrongly stands in scripts/models_catalogue.py. src/catalogue.rs says what the fields mean.\n"
    TARGET.write_text(f"{head}\n" f'date = "{date}"\n' f"{body}")
    print(f"{len(rows)} models in {TARGET.relative_to(ROOT)}, {'unchanged since' if same else 'changed on'} {date}")


def natural(name: str) -> list:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def toml(value) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def check(catalogue: dict) -> None:
    models, today = catalogue["models"], datetime.date.today().isoformat()
    providers = tomllib.loads(PROVIDERS.read_text())
    defaults = tomllib.loads(DEFAULTS.read_text())["models"]
    wrong = []
    for provider, row in providers.items():
        for preference, pattern in row.get("preferences", {}).items():
            model = newest(models, provider, pattern, today)
            # What a provider without a catalogue has is only known from its own list.
            if model is None and any(name.startswith(f"{provider}/") for name in models):
                wrong.append(f"{provider}/{preference} ({pattern}): no model that is not retired")
            else:
                print(f"{provider}/{preference}: {model or 'asked of its /models'}{retirement(models, model)}")
    named = [*defaults["auto"], *defaults["fallbacks"], *(defaults[role] for role in defaults if role in ("all", "default"))]
    for spec in named:
        provider, _, model = spec.partition("/")
        if model and model not in providers.get(provider, {}).get("preferences", {}) and "*" not in model:
            if spec not in models or models[spec].get("retires", "9") <= today:
                wrong.append(f"{spec}: not in the catalogue, or past its retirement")
    if wrong:
        sys.exit("\n".join(wrong))


def newest(models: dict, provider: str, pattern: str, today: str):
    shape = re.compile(re.escape(pattern).replace(r"\*", r"[0-9.\-]+"), re.IGNORECASE)
    names = [name.partition("/")[2] for name in models if name.startswith(f"{provider}/")]
    fitting = [name for name in names if shape.fullmatch(name) and models[f"{provider}/{name}"].get("retires", "9") > today]
    version = lambda name: [int(number) for number in re.findall(r"\d+", name)]
    short = lambda name: [number for number in version(name) if number < 100_000]
    found = max(fitting, key=lambda name: (short(name), -len(name), version(name)), default=None)
    return found and f"{provider}/{found}"


def retirement(models: dict, model) -> str:
    date = models.get(model, {}).get("retires")
    return f", retires {date}" if date else ""


if __name__ == "__main__":
    main()
