"""Laws of extraction: the class quotes the sentence that it proves."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from ocaml_reward.reading.definitions import defined_names
from ocaml_reward.reading.extraction import How, extract
from tests.scoring_strategies import (
    CODES,
    END,
    SETTINGS,
    TEXTS,
)


class TestExtraction:
    """extract(fence(code)) == code; any prose around one fence changes penalties only, never
    code.
    """

    @given(
        code=CODES,
        fence=st.sampled_from(["```", "~~~", "````"]),
        tag=st.sampled_from(["ocaml", "ml", "", "OCaml", " ocaml"]),
    )
    @SETTINGS
    def test_a_fence_gives_back_its_content(self, code: str, fence: str, tag: str) -> None:
        extraction = extract(f"{fence}{tag}\n{code}\n{fence}\n", uses=("f",))

        assert code == extraction.code
        assert How.FENCE is extraction.how

    @given(
        code=CODES,
        before=st.text(alphabet="abc XY.,'\n", max_size=60),
        after=st.text(max_size=60),
    )
    @SETTINGS
    def test_prose_around_a_fence_changes_no_code(self, code: str, before: str, after: str) -> None:
        """Prose before and behind a block is not part of it."""
        assume(not any(mark in after for mark in ("```", "~~~", "think")))
        # What defines the wanted name is no prose.
        assume("f" not in defined_names(after))
        text = f"{before}\n```ocaml\n{code}\n```\n{after}"

        assert code == extract(text, uses=("f",)).code

    @given(text=TEXTS, prompt=TEXTS, uses=st.lists(st.text(max_size=5), max_size=3).map(tuple))
    @SETTINGS
    def test_any_text_is_read(self, text: str, prompt: str, uses: tuple[str, ...]) -> None:
        """Extraction never raises, and twice the same text is twice the same code."""
        first = extract(text, uses=uses, prompt=prompt, end_marker=END)

        assert first == extract(text, uses=uses, prompt=prompt, end_marker=END)
        assert text.count(END) >= first.end_markers
