"""
What answers in other forms than Markdown are made of: each piece over and over is a text that
takes long to read, if any does.
"""

from __future__ import annotations

__all__ = ["WRAPPED"]

WRAPPED = {
    "strings of JSON": '{"code": "let f x =\\n  x"}\n',
    "open JSON": '{"code": [{"a": "',
    "braces of JSON": '{ [\n"a"',
    "escaped quotes": '"\\"',
    "entities": "let f x = x &lt; 1 &amp;&amp; ",
    "lines of entities": '"&lt;\n',
    "numbered lines": "1 | let f x = x\n2 | x\n",
    "tags before code": "<pre><code a=1>let f x = x</code></pre>\n",
    "open tags": "<pre><code ",
    "single backticks": "`let f x = x` ",
    "indented code": "Sure:\n\n    let f x = x\n\nThis is it.\n",
    "shells": "cat > a.ml << EOF\nlet f x = x\nEOF\n",
    "open shells": "cat > a.ml << E\n",
    "channels": "<|channel|>final<|message|>let f x = x<|end|>",
    "open channels": "<|channel|>final<|message|>",
    "ends of texts": '"<|endoftext|>"\n',
    "ends of texts on one line": '"<|im_end|>" ',
    "thoughts of others": "[THINK]\n[/THINK]",
    "colours": "\x1b[1m",
    "strings of Python": "x = '''let f x = x'''\n",
    "open strings of Python": "x = '''let f x = x\n",
    "strings in a list": "'let f x = x',\n",
    "single quotes": " 'let f x =",
    "keys of YAML": "code: |\n  let f x = x\n",
    "keys further in": "code: |\n  let f x = x\n    ",
    "escapes of lines": "let f x = x\\n",
    "ticked lines": "`let f x =`\n`  x`\n",
    "lines of a patch": "@@ -1 +1 @@\n+let f x = x\n",
    "edits": "<<<<<<< SEARCH\n=======\nlet f x = x\n",
    "turns": "let f x = x\nUser: and?\n",
    "turns in a fence": "User: ```\nlet f x = x\n",
    "framed lines": "let f x = x\\\n",
    "cells": "In [1]: let f x = x\n",
    "first words of templates": "<|a|> assistant ",
    "quotes": '"""\nlet f x = x\n',
}
