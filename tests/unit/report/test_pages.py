from __future__ import annotations

import jinja2
import pytest

from beleg.report.pages import asset, content_security_policy, environment


def test_templates_escape_and_fail_on_a_name_that_is_not_given() -> None:
    made = environment()
    assert made.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
    with pytest.raises(jinja2.UndefinedError):
        made.from_string("{{ absent }}").render()


def test_a_page_without_a_script_may_run_none() -> None:
    assert "script-src 'none'" in content_security_policy(asset("page.css"), None)
    assert "script-src 'sha256-" in content_security_policy("", "let a = 1")
