"""What a program prints: counted, joined to pieces of 8 KiB or what came in 50 ms, ended at the limit."""

import io

FLUSH_CHARACTERS = 8_192
STDOUT, STDERR = 1, 2


class OutputLimit(BaseException):
    """The program printed more than it may. No Exception, so that `except Exception` lets it pass."""


class Printed:
    """One program's output. `connect` gives it the way to the host, `begin` starts it anew."""

    def connect(self, output, overflow):
        self.output = output
        self.overflow = overflow

    def begin(self, limit):
        self.limit = limit
        self.written = 0
        self.over = False
        self.stream = STDOUT
        self.pieces = []
        self.waiting = 0

    def write(self, stream, text):
        room = self.limit - self.written
        self.written += len(text)
        if stream != self.stream:
            self.flush()
            self.stream = stream
        if len(text) > room:
            self.end(text[:room])
        self.pieces.append(text)
        self.waiting += len(text)
        if self.waiting >= FLUSH_CHARACTERS:
            self.flush()

    def end(self, last):
        self.written = self.limit
        self.pieces.append(last)
        self.flush()
        if not self.over:
            self.over = True
            self.overflow()
        raise OutputLimit(self.sentence())

    def sentence(self):
        return f"The output reached the limit of {self.limit:,} characters."

    def flush(self, *_signal):
        # Swapped in one step: the signal that flushes every 50 ms may come between any two lines.
        pieces, self.pieces, self.waiting = self.pieces, [], 0
        text = "".join(pieces)
        if text:
            self.output(self.stream, text)


class TextOutput(io.TextIOBase):
    encoding = "utf-8"
    errors = "replace"

    def __init__(self, stream):
        self.stream = stream
        self.buffer = BytesOutput(self)

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        printed.write(self.stream, text)
        return len(text)

    def flush(self):
        printed.flush()


class BytesOutput(io.RawIOBase):
    def __init__(self, text):
        self.text = text

    def writable(self):
        return True

    def write(self, data):
        self.text.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


printed = Printed()
stdout, stderr = TextOutput(STDOUT), TextOutput(STDERR)
