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
    "quotes": '"""\nlet f x = x\n',
}
