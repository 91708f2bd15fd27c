"""The functions that a program can call: each call is one question to the host."""

import inspect
import json
import keyword
import os
import re

from _harness.output import printed

FRAME_BYTES = 8 * 1_048_576


class CallLimit(BaseException):
    """The program called more functions than it may. No Exception, as with OutputLimit."""


class Result(dict):
    """A function's result: a dict whose keys are attributes too (`r["text"]`, `r.text`)."""

    __slots__ = ()

    def __getattr__(self, name):
        if name in self:
            return self[name]
        fields = ", ".join(self) or "none"
        raise AttributeError(f"the result has no field {name!r}; its fields: {fields}")


class LeftAway:
    """Stands in a signature for a default that the host knows; it is never sent."""

    def __repr__(self):
        return "..."


left_away = LeftAway()


def connect(call, kinds, functions, namespace):
    """Gives the functions their way to the host, and the program its functions."""
    global host_call, ANSWER, ANSWER_WITH_TEXT, EXHAUSTED
    host_call = call
    ANSWER, ANSWER_WITH_TEXT, EXHAUSTED = json.loads(kinds)
    for function in json.loads(functions):
        made = make_function(function["name"], function["parameters"], function["description"])
        namespace[made.__name__] = made


def make_function(name, parameters, description):
    def function(*args, **kwargs):
        return call_host(name, args, kwargs)

    function.__name__ = function.__qualname__ = python_name(name)
    function.__module__ = "__main__"
    function.__doc__ = description
    function.__signature__ = inspect.Signature(list(signature_parameters(parameters)))
    return function


def signature_parameters(parameters):
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    optional_seen = False
    for parameter in parameters:
        # Python allows a required parameter after an optional one only by keyword.
        if parameter["required"] and optional_seen:
            kind = inspect.Parameter.KEYWORD_ONLY
        optional_seen = optional_seen or not parameter["required"]
        default = inspect.Parameter.empty if parameter["required"] else left_away
        yield inspect.Parameter(python_name(parameter["name"]), kind, default=default)


def python_name(name):
    word = re.sub(r"^(?=\d)|\W", "_", name)
    return word + "_" if keyword.iskeyword(word) else word


def call_host(name, args, kwargs):
    printed.flush()
    question = encode({"name": name, "args": args, "kwargs": kwargs})
    if len(question) > FRAME_BYTES - 64:
        raise ValueError(f"{name}(): {len(question):,} bytes of arguments; at most 8 MiB can be sent")
    answer = memoryview(host_call(question).to_bytes())
    kind, body = answer[0], answer[1:]
    if kind == ANSWER:
        return decode(str(body, "utf-8"))
    if kind == ANSWER_WITH_TEXT:
        return with_text(body)
    text = str(body, "utf-8")
    raise CallLimit(text) if kind == EXHAUSTED else TypeError(text)


def with_text(body):
    """A result whose longest text came beside it, as it is and not as JSON."""
    end = 4 + int.from_bytes(body[:4], "little")
    key, result = decode(str(body[4:end], "utf-8"))
    result[key] = str(body[end:], "utf-8")
    return result


def plain(value):
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    kind = type(value).__name__
    raise TypeError(f"{kind} cannot be an argument: pass text, numbers, lists or dicts")


# Made once: json.dumps and json.loads would make new ones for each call.
encode = json.JSONEncoder(default=plain, allow_nan=False).encode
decode = json.JSONDecoder(object_hook=Result).decode
