"""A Python kernel: lines of JSON in, lines of JSON out. Needs nothing but Python 3.8."""
import ast
import base64
import contextlib
import io
import json
import os
import queue
import re
import runpy
import shlex
import signal
import subprocess
import sys
import threading
import time
import timeit
import traceback

STATUS = "application/x-gantry-status"
os.environ.setdefault("MPLBACKEND", "Agg")
# Frames go to a copy of stdout; what code prints by other ways than `sys.stdout` must not stand between them.
_out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", newline="\n")
os.dup2(2, 1)
_lock = threading.Lock()
_current = None
_requests = queue.Queue()


def emit(frame):
    with _lock:
        _out.write(json.dumps(frame, ensure_ascii=False, default=str) + "\n")
        _out.flush()


class Stream(io.TextIOBase):
    encoding = "utf-8"

    def __init__(self, name):
        self.name = name

    def writable(self):
        return True

    def write(self, text):
        if text:
            emit({"type": self.name, "id": _current, "data": str(text)})
        return len(text)


class Lines(list):
    """What a command wrote, by lines."""

    @property
    def n(self):
        return "\n".join(self)

    @property
    def s(self):
        return " ".join(self)


def bundle_of(value):
    bundle = {}
    maker = getattr(value, "_repr_mimebundle_", None)
    if callable(maker):
        with contextlib.suppress(Exception):
            made = maker()
            bundle.update(made[0] if isinstance(made, tuple) else made)
    for mime, name in (
        ("text/html", "_repr_html_"),
        ("text/markdown", "_repr_markdown_"),
        ("image/png", "_repr_png_"),
        ("image/jpeg", "_repr_jpeg_"),
        ("application/json", "_repr_json_"),
    ):
        method = getattr(value, name, None)
        if mime in bundle or not callable(method) or isinstance(value, type):
            continue
        with contextlib.suppress(Exception):
            data = method()
            if data is not None:
                bundle[mime] = base64.b64encode(data).decode() if isinstance(data, bytes) else data
    if hasattr(value, "savefig"):
        with contextlib.suppress(Exception):
            target = io.BytesIO()
            value.savefig(target, format="png")
            bundle["image/png"] = base64.b64encode(target.getvalue()).decode()
    if isinstance(value, (dict, list)) and "application/json" not in bundle:
        with contextlib.suppress(Exception):
            text = json.dumps(value)
            if len(text) < 100000:
                bundle["application/json"] = json.loads(text)
    if "text/plain" not in bundle:
        bundle["text/plain"] = repr(value)
    return bundle


def display(*values, raw=False):
    for value in values:
        emit({"type": "display", "id": _current, "bundle": value if raw else bundle_of(value)})


def status(op, **data):
    display({STATUS: {"op": op, **data}}, raw=True)


class Helpers:
    """What every cell can call. Each says what it did."""

    @staticmethod
    def read(path, offset=1, limit=None):
        with open(os.path.expanduser(path), encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
        end = None if limit is None else offset - 1 + limit
        text = "".join(lines[offset - 1:end])
        status("read", path=path, chars=len(text))
        return text

    @staticmethod
    def write(path, content):
        return Helpers._put(path, content, "w", "write")

    @staticmethod
    def append(path, content):
        return Helpers._put(path, content, "a", "append")

    @staticmethod
    def env(key=None, value=None):
        if key is None:
            return dict(sorted(os.environ.items()))
        if value is not None:
            os.environ[key] = str(value)
        return os.environ.get(key)

    @staticmethod
    def tree(path=".", depth=3, hidden=False):
        """Folders and files by indentation."""
        lines = []

        def walk(folder, level):
            for name in sorted(os.listdir(folder)):
                if name.startswith(".") and not hidden:
                    continue
                inner = os.path.join(folder, name)
                is_folder = os.path.isdir(inner) and not os.path.islink(inner)
                lines.append("  " * level + name + ("/" if is_folder else ""))
                if is_folder and level + 1 < depth:
                    walk(inner, level + 1)

        walk(os.path.expanduser(path), 0)
        status("tree", path=path, entries=len(lines))
        return "\n".join(lines)

    @staticmethod
    def stat(path):
        found = os.stat(os.path.expanduser(path))
        kind = "folder" if os.path.isdir(path) else "file"
        return {"path": path, "kind": kind, "size": found.st_size, "mode": oct(found.st_mode & 0o7777), "mtime": found.st_mtime}

    @staticmethod
    def diff(one, other):
        import difflib

        texts = [open(os.path.expanduser(path), encoding="utf-8", errors="replace").readlines() for path in (one, other)]
        lines = difflib.unified_diff(*texts, one, other)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    @staticmethod
    def _put(path, content, mode, op):
        full = os.path.expanduser(path)
        os.makedirs(os.path.dirname(full) or ".", exist_ok=True)
        with open(full, mode, encoding="utf-8", newline="") as file:
            file.write(content)
        status(op, path=path, chars=len(content))
        return path


PRELUDE = {"display": display, **{name: getattr(Helpers, name) for name in vars(Helpers) if not name.startswith("_")}}


def shell(command, program=None, capture=False):
    argv = [program, "-c", command] if program else command
    process = subprocess.Popen(
        argv, shell=program is None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace",
    )
    lines = Lines()
    try:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if not capture:
                sys.stdout.write(line)
        process.wait()
    except BaseException:
        process.kill()
        raise
    if process.returncode and not capture:
        status("shell", command=command, code=process.returncode)
    return lines


class Magics:
    def __init__(self, kernel):
        self.kernel = kernel

    def pip(self, text):
        before = set(sys.modules)
        argv = [sys.executable, "-m", "pip", *shlex.split(text)]
        shell(" ".join(shlex.quote(part) for part in argv))
        names = {re.split(r"[=<>!\[~ ]", word)[0].replace("-", "_").lower() for word in shlex.split(text)[1:]}
        for name in before:
            if name.split(".")[0].lower() in names:
                sys.modules.pop(name, None)
        __import__("importlib").invalidate_caches()

    def cd(self, text):
        os.chdir(os.path.expanduser(text.strip() or "~"))
        status("cd", path=os.getcwd())

    def pwd(self, _text):
        return os.getcwd()

    def ls(self, text):
        return sorted(os.listdir(os.path.expanduser(text.strip() or ".")))

    def env(self, text):
        text = text.strip()
        if not text:
            return dict(os.environ)
        key, equals, value = text.partition("=")
        if equals:
            os.environ[key.strip()] = value.strip()
            return None
        return os.environ.get(key)

    def set_env(self, text):
        key, _, value = text.strip().partition(" ")
        os.environ[key] = value.strip()

    def time(self, text):
        started = time.perf_counter()
        result = self.kernel.run_source(text)
        status("time", ms=round((time.perf_counter() - started) * 1000, 3))
        return result

    def timeit(self, text):
        timer = timeit.Timer(text, globals=self.kernel.space)
        count, taken = timer.autorange()
        status("timeit", ms=round(taken / count * 1000, 6), loops=count)

    def who(self, _text):
        return self.kernel.names()

    def whos(self, _text):
        for name in self.kernel.names():
            value = self.kernel.space[name]
            print(f"{name}\t{type(value).__name__}\t{repr(value)[:80]}")

    def reset(self, _text):
        self.kernel.reset()

    def load(self, text):
        with open(os.path.expanduser(text.strip()), encoding="utf-8") as file:
            return self.kernel.run_source(file.read())

    def run(self, text):
        path, *arguments = shlex.split(text)
        argv, sys.argv = sys.argv, [path, *arguments]
        try:
            made = runpy.run_path(os.path.expanduser(path), run_name="__main__")
        finally:
            sys.argv = argv
        self.kernel.space.update({name: value for name, value in made.items() if not name.startswith("__")})

    def cell_bash(self, _text, body):
        shell(body, "bash")

    def cell_sh(self, _text, body):
        shell(body, "sh")

    def cell_capture(self, text, body):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.kernel.run_source(body)
        if text.strip():
            self.kernel.space[text.strip()] = out.getvalue() + err.getvalue()

    def cell_timeit(self, _text, body):
        self.timeit(body)

    def cell_time(self, _text, body):
        return self.time(body)

    def cell_writefile(self, text, body):
        path = os.path.expanduser(text.strip())
        with open(path, "w", encoding="utf-8") as file:
            file.write(body)
        print(f"Writing {path}")


LINE = re.compile(r"^(?P<indent>[ \t]*)(?:(?P<target>[A-Za-z_][\w., ]*?)\s*=\s*)?(?P<sign>[%!])(?P<rest>[^=\s%!].*)$")


def rewrite(source):
    """Magics as calls. Only lines that do not belong to a text or bracket that began before them are looked at."""
    lines = source.split("\n")
    if not any(LINE.match(line) for line in lines):
        return source
    done = []
    for at, line in enumerate(lines):
        match = LINE.match(line)
        if not match or inside_string("\n".join(lines[:at])):
            done.append(line)
            continue
        indent, target, sign, rest = match.group("indent", "target", "sign", "rest")
        if sign == "!":
            call = f"__gantry__.shell({rest!r}, capture={target is not None})"
        else:
            name, _, text = rest.partition(" ")
            call = f"__gantry__.magic({name!r}, {text!r})"
        if target:
            done.append(f"{indent}{target} = {call}")
        else:
            done.append(indent + (f"__gantry__.drop({call})" if sign == "!" else call))
    return "\n".join(done)


def inside_string(before):
    """Is the end of this text within a triple-quoted one?"""
    quote = None
    for match in re.finditer(r"\\.|\"\"\"|'''|#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", before):
        token = match.group()
        if quote is None and token in ('"""', "'''"):
            quote = token
        elif token == quote:
            quote = None
    return quote is not None


class Kernel:
    def __init__(self):
        self.magics = Magics(self)
        self.count = 0
        self.running = False
        self.reset()

    def reset(self):
        self.space = {"__name__": "__main__", "__builtins__": __builtins__, "__gantry__": self, **PRELUDE}
        sys.modules["__main__"].__dict__.update(PRELUDE)
        self.own = set(self.space)

    def names(self):
        return sorted(name for name in self.space if name not in self.own and not name.startswith("_"))

    def shell(self, command, capture=False):
        return shell(command, capture=capture)

    def drop(self, _value):
        return None

    def magic(self, name, text):
        method = getattr(self.magics, name, None)
        if method is None or name.startswith("cell_") or name == "kernel":
            raise NameError(f"UsageError: Line magic function `%{name}` not found.")
        return method(text)

    def run_cell(self, source):
        first, _, body = source.lstrip("\n").partition("\n")
        if not first.startswith("%%"):
            return self.run_source(source)
        name, _, text = first[2:].partition(" ")
        method = getattr(self.magics, f"cell_{name}", None)
        if method is None:
            raise NameError(f"UsageError: Cell magic `%%{name}` not found.")
        return method(text, body)

    def run_source(self, source):
        name = f"<cell {self.count}>"
        text = rewrite(source)
        __import__("linecache").cache[name] = (len(text), None, text.splitlines(True), name)
        tree = ast.parse(text, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        flags = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
        self.finish(eval(compile(tree, name, "exec", flags), self.space))
        if last is None or source.rstrip().endswith(";"):
            if last is not None:
                self.finish(eval(compile(ast.Expression(last.value), name, "eval", flags), self.space))
            return None
        return self.finish(eval(compile(ast.Expression(last.value), name, "eval", flags), self.space))

    def finish(self, value):
        import inspect

        if not inspect.iscoroutine(value) or "<cell" not in value.cr_code.co_filename or value.cr_code.co_name != "<module>":
            return value
        import asyncio

        if not hasattr(self, "loop"):
            self.loop = asyncio.new_event_loop()
        return self.loop.run_until_complete(value)

    def execute(self, request):
        global _current
        _current = request["id"]
        self.count += 1
        emit({"type": "started", "id": _current})
        outcome, cancelled = "ok", False
        try:
            self.running = True
            result = self.run_cell(request["code"])
            if result is not None and not request.get("silent"):
                self.space["_"] = result
                emit({"type": "result", "id": _current, "bundle": bundle_of(result)})
            self.figures()
        except BaseException as error:
            outcome, cancelled = "error", isinstance(error, KeyboardInterrupt)
            self.failed(error)
        finally:
            self.running = False
        emit({"type": "done", "id": _current, "status": outcome, "executionCount": self.count, "cancelled": cancelled})

    def failed(self, error):
        frames = traceback.extract_tb(error.__traceback__)
        at = next((index for index, frame in enumerate(frames) if frame.filename.startswith("<cell")), len(frames))
        lines = ["Traceback (most recent call last):", *traceback.format_list(frames[at:])]
        lines += traceback.format_exception_only(type(error), error)
        lines = [part.rstrip("\n") for part in lines]
        emit({"type": "error", "id": _current, "ename": type(error).__name__, "evalue": str(error), "traceback": lines})

    def figures(self):
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            display(pyplot.figure(number))
            pyplot.close(number)


def listen():
    main = threading.main_thread().ident
    for line in sys.__stdin__:
        with contextlib.suppress(ValueError):
            request = json.loads(line)
            if request.get("type") == "interrupt":
                if kernel.running:
                    signal.pthread_kill(main, signal.SIGINT)
            elif request.get("type") == "exit":
                break
            else:
                _requests.put(request)
    _requests.put(None)
    # The code may be in the middle of something that does not end by itself.
    time.sleep(0.5)
    os._exit(0)


def no_input(*_args):
    raise EOFError("There is nobody to type: input() is not supported.")


def interrupted(_number, _frame):
    if kernel.running:
        raise KeyboardInterrupt


kernel = Kernel()
__import__("builtins").input = no_input
sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
sys.path.insert(0, os.getcwd())
signal.signal(signal.SIGINT, interrupted)
threading.Thread(target=listen, daemon=True).start()
emit({"type": "ready"})
while True:
    item = _requests.get()
    if item is None:
        break
    kernel.execute(item)
