"""The one list of measures."""

from __future__ import annotations

from beleg.metrics.ranking_runs.registry import KINDS


def test_every_measure_has_one_kernel_and_says_what_it_is() -> None:
    for name, kind in KINDS.items():
        kernels = (kind.kernel, kind.group_kernel, kind.preference_kernel, kind.text_kernel)
        assert sum(kernel is not None for kernel in kernels) == (0 if name == "RunId" else 1), name
        assert kind.says, name
        assert kind.name == name


def test_the_form_of_a_measure_is_that_of_its_kernel() -> None:
    for kind in KINDS.values():
        by_form = {"qrels": kind.group_kernel is None and kind.preference_kernel is None}
        by_form |= dict.fromkeys(("groups", "subtopics"), kind.group_kernel is not None)
        by_form["preferences"] = kind.preference_kernel is not None
        assert by_form[kind.form], kind.name


def test_no_two_measures_share_a_name_in_trec_eval() -> None:
    names = [name for kind in KINDS.values() for name in {kind.plain, kind.at_cut} if name]
    assert len(names) == len(set(names))
