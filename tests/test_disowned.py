"""
Blocks that a completion shows as wrong.
"""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import extract

HELPER = "let double x = 2 * x"
CODE = "let f x = 2 * x + 1"


@pytest.mark.parametrize(
    "said",
    [
        "A common mistake is:",
        "**Incorrect version:**",
        "Note that you should not write:",
        "It is linear. A naive approach would be wrong:",
        "Don't do this:",
        "This would never end:\n",
        "Versi\u00f3n incorrecta:",
        "Version incorrecte :",
        "Falsch w\u00e4re:",
        "\u041d\u0435\u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d\u044b\u0439 \u0432\u0430\u0440\u0438\u0430\u043d\u0442:",
        "\u9519\u8bef\u7684\u5199\u6cd5\uff1a",
    ],
)
def test_what_is_shown_as_wrong_is_no_second_draft(said: str) -> None:
    """
    A block that is introduced as wrong replaces nothing, nor does one that calls itself so.
    """
    wrong = "let f x = f (x + 2)"
    text = f"```ocaml\n{CODE}\n```\n{said}\n```ocaml\n{wrong}\n```\nBye."
    itself = text.replace(said, "Then:").replace(wrong, f"(* WRONG: no end *)\n{wrong}")

    assert CODE == extract(text, uses=("f",)).code.strip()
    assert CODE == extract(itself, uses=("f",)).code.strip()


@pytest.mark.parametrize(
    "said",
    [
        "The code above is wrong:",
        "My first attempt was incorrect:",
        "The mistake was in the second line. Then it is:",
        "Corrected, without the mistake:",
        "That is wrong, here is the right version:",
        "Do not use the above. Use this instead:",
        "El c\u00f3digo anterior es incorrecto:",
        "Das ist falsch, richtig ist:",
        "\u4e0a\u9762\u7684\u4ee3\u7801\u662f\u9519\u8bef\u7684\uff0c\u6b63\u786e\u7684\u5199\u6cd5\u5982\u4e0b\uff1a",
    ],
)
def test_a_second_draft_may_speak_of_the_first(said: str) -> None:
    """
    What is said to be wrong may be what stood before.
    """
    better = "let f x = x + 3"
    text = f"```ocaml\n{CODE}\n```\n{said}\n```ocaml\n{better}\n```\nBye."

    assert better == extract(text, uses=("f",)).code.strip()


def test_an_answer_that_is_only_shown_as_wrong_is_read() -> None:
    """
    What alone has some of the answer is the answer, whatever is said of it.
    """
    text = f"```ocaml\n{HELPER}\n```\nDo not:\n```ocaml\n{CODE}\n```\n"

    assert "let f" in extract(text, uses=("f",)).code
