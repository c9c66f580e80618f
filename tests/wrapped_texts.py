"""
What answers in other forms than Markdown are made of: each piece over and over is a text that
takes long to read, if any does.
"""

from __future__ import annotations

__all__ = ["BEGUN", "WRAPPED"]

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
    "bold lines": "**let f x = x**\n",
    "tags on each line": "<b>let f x =</b>\n<b>x</b>\n",
    "open bold lines": "**let f x =\n",
    "fences of two": "``ocaml\nlet f x = x\n``\n",
    "open fences of two": "``ocaml\nlet f x = x\n",
    "fences closed otherwise": "````ocaml\nlet f x = x\n``\n",
    "raw strings": 'x = r#"\nlet f x = x\n"#;\n',
    "open raw strings": 'x = R"a(\nlet f x = x\n',
    "pairs of marks": "{[\nlet f x = x\n]}\n",
    "open pairs of marks": "{{{\nlet f x = x\n",
    "lines numbered by blanks": "1 let f x =\n2   x\n",
    "coloured words": '<span a="b">let</span> f x = x\n',
    "magic of cells": "```python\n%%ocaml\nlet f x = x\n```\n",
    "cells of JSON": '{"cell_type": "code", "source": ["let f x = x\\n", "x"]},\n',
    "elements": "<a>b</a>\n<pre>let f x = x\n",
    "quotes": '"""\nlet f x = x\n',
}

# What a line begins, and what goes on with it over and over.
BEGUN = {
    "a cell that goes on": ("In [1]: let f x = x\n", "   ...: x\n"),
    "a cell that asks": ("In [1]: f\n", "   ...: x\n"),
    "answers of cells": ("In [1]: let f x = x\n", "Out[1]: x\n"),
    "tables": ("let f x = x\n", "| a | b |\n|---|---|\n"),
    "rows of a table": ("let f x = x\n|--|--|\n", "| a | b |\n"),
    "a row of a table": ("let f x = x\n|--|--|\n|", "-|"),
    "sides of a merge": ("let f x = x\n", "<<<<<<< HEAD\nlet f x = x\n=======\n"),
    "prose that begins like code": ("let f x = x\n", "and some words of it\n"),
    "labels": ("let f x = x\n", "Input: 2 3\n"),
    "calls of a tool": ('x({"a": "b"', "({"),
}
