from __future__ import annotations

import pytest

from beleg.core.trace import MAX_ANSWER_CHARS
from beleg.text.refusal import is_refusal, only_declines_or_greets

REFUSALS = """
Das kann ich nicht beantworten.
I don't know.
I don’t know.
Dazu liegen mir keine Informationen vor.
The provided context does not contain information about the 2025 fee.
I'm sorry, but I can't help with that.
Unfortunately, I cannot find this in the documents. Please contact support.
Leider kann ich dazu nichts sagen.
Die Dokumente enthalten keine Angaben zu Express nach Norwegen.
Es tut mir leid, aber das kann ich anhand der Dokumente nicht beantworten. Bitte wenden Sie sich an den Support.
Ich weiß es nicht.
Das weiß ich leider nicht.
Insufficient evidence.
There is no information about that in the documents.
Diese Frage lässt sich mit den vorliegenden Dokumenten nicht beantworten.
Dazu habe ich keine Informationen.
I am unable to answer this question based on the provided documents.
I do not have enough information to answer.
Sorry, I can't answer that.
In den Quellen finde ich dazu nichts.
In den vorliegenden Dokumenten finde ich keine Angaben dazu.
Ich kann diese Frage leider nicht beantworten.
Based on the provided sources, I cannot answer this question.
Zu dieser Frage liegen mir keine Informationen vor.
Keine Angabe möglich.
Das geht aus den Unterlagen nicht hervor.
Dies geht aus den vorliegenden Dokumenten leider nicht hervor.
Hierzu kann ich keine Aussage treffen.
Ich kann zu dieser Frage keine Aussage machen.
In den bereitgestellten Dokumenten wird das nicht erwähnt.
Das ist in den Unterlagen nicht angegeben.
I couldn't find any information on that.
Not enough information to answer.
Die vorliegenden Quellen geben darauf keine Antwort.
Dazu steht nichts in den Dokumenten.
In den Dokumenten, die mir vorliegen, finde ich dazu nichts.
Ich habe dazu keine Angaben gefunden.
Ich kann dazu keine Auskunft geben.
Dazu kann ich Ihnen keine Auskunft geben.
I have no information about this.
The answer is not in the provided documents.
Die Antwort steht nicht in den Dokumenten.
I don't have access to that information.
Auf diese Frage habe ich keine Antwort.
Hierzu finden sich keine Angaben in den Unterlagen.
Darauf kann ich keine Antwort geben.
I was unable to find that.
Nothing in the documents answers this question.
Leider liegen mir keine Angaben vor.
Unable to answer.
Sorry, I can't share that.
I'm afraid I can't answer that.
Diese Information ist in den Dokumenten nicht enthalten.
We do not have this information.
As an AI, I am unable to provide that.
The knowledge base has no information on this.
N/A
The context does not contain the 2025 fee.
The documents do not contain any information on this.
The documents do not contain this information.
There is no information available.
Dazu finde ich in den verfügbaren Quellen keine Angabe.
I cannot find anything about this in the available sources.
I don't know. The given contexts do not provide the exact population number of Norway in 2021.
I don't know. None of the contexts provides an answer to the question about the number of atheists in Sweden.
I don't know. The question asks about toys, but none of the contexts provide any information about toys.
I don't know. The contexts only discuss various Nissan models.
I don't know. However, the contexts provided do not contain any information about the distance.
Based on the given contexts, I don't know which newspaper was meant.
No, I don't know.
No, answer is not present.
Nein, ich weiß es nicht.
Ich weiß die Antwort auf diese Frage nicht.
Ich kenne keine Antwort auf Ihre Frage.
Ich weiß es nicht. Keiner der Kontexte gibt eine Antwort auf die Frage.
Ich weiß es nicht. Die Passagen behandeln andere Produkte.
What is the fee for Norway? I don't know.
""".strip().splitlines()

ANSWERS = """
In den Dokumenten wird das nicht verlangt.
Das geht nicht aus dem Konto hervor, sondern aus der Rechnung.
Das ist in Kontext A nicht erlaubt.
Aus der Rechnung geht die Frist von 14 Tagen hervor.
Refunds are not provided after 30 days.
I don't know whether it ships today, but the fee is 5 euros.
Express ist nicht verfügbar.
There is no fee for returns.
There is no limit on returns.
Nein, das ist nicht möglich.
The FAQ says: "I don't know" is a common reply.
I can't find the price. Delivery takes 3 days.
You cannot return opened items.
Es gibt keine Versandkosten.
Die Rückgabe kann nicht telefonisch beantragt werden.
Please contact support to return the item.
Ich kann das nicht empfehlen, weil es Nüsse enthält.
Ich weiß nicht genau, wann es ankommt, aber die Gebühr beträgt 5 Euro.
No information is stored after 30 days.
Keine Angaben sind nötig; die Rückgabe ist kostenlos.
You can contact support by e-mail.
In den Dokumenten steht, dass Express nicht verfügbar ist.
The documents state that refunds are not provided.
No evidence of purchase is needed.
No answer within 14 days counts as consent.
Es gibt keine Angaben, die Sie machen müssen.
I can't tell you the exact day, the parcel takes 3 days.
I cannot recommend washing it hot.
The information does not include the VAT: prices are net.
Auf Batterien kann das nicht angewendet werden.
Dazu gibt es keine Pflicht.
Die Frage kann nicht per Telefon gestellt werden.
Die Dokumente sagen, dass keine Gebühr anfällt.
I will not be charged.
I don't know of any fee other than the 5 euros shipping charge.
There is no information fee.
The documents do not contain asbestos.
The information does not include VAT of 20 percent.
We do not have information desks in every store.
Es gibt keine Angaben zu Mindestbestellwert, denn er beträgt 0 Euro.
I cannot answer that. You can ask for a refund within 30 days and visit our store for 20 percent off.
I can't share this account with others.
Diese Daten sind nach 30 Tagen nicht verfügbar.
I cannot find a cheaper option than the standard rate.
I don't know. The contexts mention that the fee is low.
I don't know. The contexts only discuss a fee of 5 euros.
Ich weiß es nicht. Die Kontexte behandeln eine Gebühr von 5 Euro.
The contexts do not discuss Norway directly, they only focus on shipping to Sweden by ferry.
The question is answered in the FAQ: returns are free.
None of the products contain nuts.
Ich weiß die Antwort: 42.
Is it 5 euros? Yes.
""".strip().splitlines()


@pytest.mark.parametrize("answer", REFUSALS)
def test_an_answer_that_as_a_whole_declines_is_a_refusal(answer: str) -> None:
    assert is_refusal(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_says_something_is_no_refusal(answer: str) -> None:
    assert not is_refusal(answer)


@pytest.mark.parametrize("answer", ["", "  ", "...", "Es tut mir leid.", "Please contact support."])
def test_nothing_and_mere_courtesy_are_no_refusal(answer: str) -> None:
    assert not is_refusal(answer)


def test_markdown_and_typographic_apostrophes_do_not_hide_a_refusal() -> None:
    assert is_refusal("**I don’t know.**")
    assert is_refusal("> Das weiß ich nicht…")


@pytest.mark.parametrize(
    "unit",
    ["ich kann nicht nichts ", "in kann ", "I don't know ", "the ", "aber ", ", die x ist", "I don't know. They only "],
)
def test_hostile_repetition_of_any_length_is_no_refusal(unit: str) -> None:
    # Quadratic work on the longest answer a trace may hold would take minutes.
    assert not is_refusal((unit * MAX_ANSWER_CHARS)[:MAX_ANSWER_CHARS])


def test_a_line_of_its_own_is_read_by_itself() -> None:
    assert is_refusal("I don't know\n\nEXPLANATION:\nNone of the contexts answers it.")
    assert not is_refusal("I don't know (it could be anywhere)\n\nYes, answer is present in [1].")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Please let me know what you need.", True),
        ("I cannot answer that, but is there anything else?", True),
        ("Vielen Dank für die Frage.", True),
        ("Returns are free.", False),
        ("I cannot answer that, but the fee is 5 euros.", False),
        ("Please contact us within 30 days.", False),
        ("x" * 700, False),
    ],
)
def test_a_sentence_that_only_declines_or_greets_says_nothing(sentence: str, *, expected: bool) -> None:
    assert only_declines_or_greets(sentence) is expected
