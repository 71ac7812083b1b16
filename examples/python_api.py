"""Gate a Python function in under 20 lines: python examples/python_api.py"""

import beleg

PAGES = {"returns": "Returns within 30 days after delivery.", "rückgabe": "Rückgabe innerhalb von 30 Tagen."}


def answer(query: beleg.Query) -> dict:
    found = [name for name in PAGES if name in query.text.lower()]
    passages = [{"passage_id": name, "document_id": name, "text": PAGES[name]} for name in found]
    return {"retrieved": passages, "answer": PAGES[found[0]] if found else "I cannot answer this."}


questions = [(f"{name} {n}?", beleg.ExpectedPassage(document_id=name)) for n in range(40) for name in PAGES]
cases = [beleg.Case(case_id=text, user_input=text, expected_passages=(page,)) for text, page in questions]
suite = beleg.Suite.of(cases, name="api-example")
new, released = (beleg.evaluate(answer, suite, name=name) for name in ("new", "released"))
decision = beleg.gate(new, released, {"policy": "example", "checks": [{"metric": "hit@1", "margin": 0.05}]})
print(decision.verdict, decision.headline)
