"""Waiting: sleep that can be interrupted, and asyncio without JavaScript's event loop.

JavaScript's loop never turns in this process, so Python gets one of its own.
"""

import asyncio
import asyncio.events
import time

from _harness.output import printed

SLICE_SECONDS = 0.02
native_sleep = time.sleep


def sleep(seconds, /):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    printed.flush()
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        native_sleep(min(left, SLICE_SECONDS))


class Selector:
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("deadlock: the event loop waits for something that cannot come")
        if timeout > 0:
            printed.flush()
            native_sleep(min(timeout, SLICE_SECONDS))
        return []


class Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Selector()

    def _process_events(self, _events):
        pass

    def _write_to_self(self):
        pass

    def run_in_executor(self, _executor, function, *args):
        """There are no threads: the function runs at once."""
        future = self.create_future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class LoopPolicy(asyncio.events._AbstractEventLoopPolicy):
    loop = None

    def get_event_loop(self):
        if self.loop is None:
            self.loop = Loop()
        return self.loop

    def set_event_loop(self, loop):
        self.loop = loop

    def new_event_loop(self):
        return Loop()


def run_coroutine(main, *, debug=None, loop_factory=None):
    with asyncio.Runner(debug=debug, loop_factory=loop_factory or Loop) as runner:
        return runner.run(main)


time.sleep = sleep
asyncio.events._set_event_loop_policy(LoopPolicy())
asyncio._set_running_loop(None)
asyncio.run = run_coroutine
