from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.app.ir.ann.filters import filters_by_share, filters_by_tag, read_tags
from beleg.core.errors import DataError, UsageError


def test_each_query_searches_its_own_tag() -> None:
    found = filters_by_tag(["b", "a", "b", "c"], ["c", "b", "c", "x"])
    assert [(each.admitted.name, each.admitted.rows.tolist(), each.queries.tolist()) for each in found.each] == [
        ("c", [3], [0, 2]), ("b", [0, 2], [1]),
    ]  # fmt: skip
    assert [each.share for each in found.each] == [0.25, 0.5]
    assert [each.bucket for each in found.each] == [0.5, 0.5]
    assert found.without_rows == 1


def test_random_filters_admit_their_share_and_come_again_with_the_seed() -> None:
    found = filters_by_share([0.001, 0.2], 1_000, 5, np.random.default_rng(3))
    assert [len(each.admitted.rows) for each in found.each] == [1, 200]
    assert all((np.diff(each.admitted.rows) > 0).all() for each in found.each)
    assert [each.bucket for each in found.each] == [0.01, 0.5]
    again = filters_by_share([0.001, 0.2], 1_000, 5, np.random.default_rng(3))
    assert again.each[1].admitted.rows.tolist() == found.each[1].admitted.rows.tolist()


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, float("nan")])
def test_a_share_that_filters_nothing_or_everything_is_refused(share: float) -> None:
    with pytest.raises(UsageError, match="a share between 0 and 1"):
        filters_by_share([share], 10, 1, np.random.default_rng(1))


def test_too_many_tags_are_refused() -> None:
    tags = [str(number) for number in range(1_001)]
    with pytest.raises(UsageError, match="1,001 tags"):
        filters_by_tag(tags, tags)


def test_one_tag_for_each_vector(tmp_path: Path) -> None:
    (tmp_path / "tags.txt").write_text("a\nb\n")
    assert read_tags(tmp_path / "tags.txt", 2, "c.npy") == ["a", "b"]
    with pytest.raises(DataError, match=r"2 tags for the 3 vectors of c\.npy"):
        read_tags(tmp_path / "tags.txt", 3, "c.npy")
