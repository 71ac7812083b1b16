"""A decision as items that a CI system can list: one per check, and one for the decision itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beleg.core.decision import CheckResult, CheckState, Decision, Verdict
from beleg.report.naming import check_title
from beleg.report.safe import one_line
from beleg.report.words import phrase

DECISION_ITEM = "decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckItem:
    """One line of a CI report."""

    item_id: str
    """The id of the check, or ``decision``."""
    title: str
    state: CheckState | Verdict
    message: str
    cases: tuple[str, ...]
    """The cases to look at first."""
    line: int
    """The line of the policy that asks for it; 1 where none does."""

    @property
    def passed(self) -> bool:
        """Whether it holds; whatever is not proven does not."""
        return self.state in (CheckState.PASS, Verdict.PASS)

    @property
    def is_breach(self) -> bool:
        """Whether it blocks, as opposed to being open."""
        return self.state in (CheckState.FAIL, Verdict.BLOCK)


def ci_items(decision: Decision, language: str, lines: Mapping[str, int] | None = None) -> list[CheckItem]:
    """The decision first, then every check in its order.

    A CI system knows passed and failed. REVIEW is not passed: what nobody has proven must not look green.

    Args:
        decision: what was decided.
        language: ``en`` or ``de``.
        lines: for check ids, the line of the policy that asks for them.
    """
    known = lines or {}
    whole = CheckItem(
        item_id=DECISION_ITEM,
        title=phrase("ci.decision").in_language(language),
        state=decision.verdict,
        message=one_line(decision.headline.in_language(language)),
        cases=(),
        line=1,
    )
    return [whole, *(_item(check, language, known.get(check.check_id, 1)) for check in decision.checks)]


def _item(check: CheckResult, language: str, line: int) -> CheckItem:
    title = check_title(check).in_language(language)
    return CheckItem(
        item_id=check.check_id,
        title=one_line(f"{title} ({check.segment})" if check.segment else title),
        state=check.state,
        message=one_line(check.reason.in_language(language)),
        cases=tuple(one_line(name) for name in check.worst_cases),
        line=line,
    )
