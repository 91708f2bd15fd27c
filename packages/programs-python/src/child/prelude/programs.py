"""Runs programs one after another over one namespace, and tells how each ended."""

import ast
import builtins
import inspect
import json
import linecache
import signal
import sys
import traceback
import types

from _harness import functions
from _harness.output import OutputLimit, printed, stderr, stdout
from _harness.waiting import run_coroutine

ERROR_CHARACTERS = 4_000

namespace = sys.modules["__main__"].__dict__
namespace.clear()
namespace.update(__name__="__main__", __builtins__=builtins, __doc__=None)
programs = 0


def connect(call, output, overflow, kinds, given):
    """Joins the interpreter to its host. Called once, after the snapshot was loaded."""
    printed.connect(output, overflow)
    functions.connect(call, kinds, given, namespace)


def run(source, limit):
    """Runs a program; how it ended, as JSON."""
    printed.begin(limit)
    try:
        filename = prepare(source)
        end = run_source(source, filename)
        printed.flush()
    except BaseException as error:
        # An interrupt just before the program, or while its end was being described.
        end = {"status": "interrupted", "error": str(error) or None}
    if printed.over:
        end = {"status": "output_limit", "error": printed.sentence()}
    return json.dumps({"exit_code": None, "error": None} | end)


def prepare(source):
    global programs
    programs += 1
    filename = f"<program {programs}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    sys.stdout = sys.__stdout__ = stdout
    sys.stderr = sys.__stderr__ = stderr
    signal.signal(signal.SIGUSR1, printed.flush)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return filename


def run_source(source, filename):
    try:
        code = compile(source, filename, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if code.co_flags & inspect.CO_COROUTINE:
            run_coroutine(types.FunctionType(code, namespace)())
        else:
            exec(code, namespace)
        return {"status": "ok"}
    except SystemExit as error:
        return {"status": "exit", "exit_code": exit_code(error.code)}
    except OutputLimit:
        return {"status": "output_limit"}
    except KeyboardInterrupt as error:
        return {"status": "interrupted", "error": describe(error, filename)}
    except BaseException as error:
        return {"status": "error", "error": describe(error, filename)}


def exit_code(code):
    if code is None:
        return 0
    return int(code) if isinstance(code, int) else str(code)


def describe(error, filename):
    """The traceback from the program's first line on, without the frames of these files."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != filename:
        trace = trace.tb_next
    told = traceback.TracebackException(type(error), error, trace)
    hide_own_frames(told)
    return ("".join(told.format()).rstrip() + hint(error))[-ERROR_CHARACTERS:]


def hide_own_frames(told):
    while told:
        told.stack[:] = [frame for frame in told.stack if not frame.filename.startswith("<harness>")]
        told = told.__cause__ or told.__context__


def hint(error):
    if isinstance(error, ModuleNotFoundError):
        return "\n(Only the standard library is here; the project's own code runs with run_command([...]).)"
    if isinstance(error, FileNotFoundError):
        return "\n(open() and os see an empty file system, not the project; use the functions given.)"
    return ""
