"""Questions that the cells of tables answer, read from real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.agent.policies.reader.lookup import boxes
from clew.agent.policies.reader.rows import rows_of
from clew.agent.policies.reader.tables import answers
from clew.questions.grammar import plan
from tests.unit.agent.policies.reader.test_reading import shown_of

BRIDGES = """# Bridges of Osby

| Bridge | Built | Length (m) | Led by | Lit |
|---|---|---|---|---|
| Heron Bridge | 1902 | 120 | Anke Roos | yes |
| Quay Bridge | 1931 | 45 | Bram Veld | no |
| Lark Bridge | 1955 | 310 | Anke Roos | |
"""
SALES = """# Tarn Foods

## Income statement

(in millions of euros)

| Item | 2023 | 2022 |
|---|---|---|
| Revenue | 318 | 301 |
| Net profit | 24 | |
"""
ZONES = """# Tarn Foods, first half

## 2026

| CHF million | Sales (a) | Trading profit | Margin (%) | Employees |
|---|---|---|---|---|
| Zone North | 9467 | 1570 | 16.6 | 5200 |
| Zone South | 12553 | 2713 | 21.6 | 7100 |
| Total | 22020 | 4283 | 19.5 | 12300 |

## 2025

| CHF million | Sales (a) | Trading profit | Margin (%) | Employees |
|---|---|---|---|---|
| Zone North | 9283 | 1606 | 17.3 | 5100 |
| Zone South | 12138 | 2284 | 18.8 | 7000 |
"""
INVOICE = """# Invoice 418

| Description | Quantity | Unit price | Amount |
|---|---|---|---|
| Oak bench, 1.8 m long | 4 | £310.00 | £1,240.00 |
| VAT 20% | | | £248.00 |
| Total due | | | £1,488.00 |
"""
HOTELS = """# Travel policy

## Hotels

| City | Maximum per night |
|---|---|
| Zurich | EUR 230 |
| Berlin | EUR 140 |
"""
MINUTES = """# Minutes

Apologies: Colin Webb

| Action | Who | By when |
|---|---|---|
| Order two water butts | Ben Lister | 8 May 2026 |
| Mend the gate | Ruth Kowalski | 1 June 2026 |

Next meeting: Tuesday 12 May 2026, 7.00 pm, same place
"""
COURSES = """# Courses

| Course | Day | Fee |
|---|---|---|
| Yoga | Monday | €95 |
| Choir | Tuesday | €40 |
"""
STOCK = """# Parts

| No. | Part | In stock | Minimum |
|---|---|---|---|
| P-1 | Frame | 18 | 25 |
| P-2 | Motor C85 | 61 | 40 |
"""
STAFF = """# Staff

| Name | Role | Department | Office |
|---|---|---|---|
| Carla Mota | Accountant | Finance | Tallinn |
| Elena Petit | Chief financial officer | Finance | Tallinn |
| Farid Nazari | Technician | Research | Narva |
"""
PLANTS = """# Plants of Tessel

| Region | Plant | Workers |
|---|---|---|
| Norrland | Osby | 120 |
| Norrland | Hallen | 75 |
| Svea | Tarn | 120 |
"""
GOALS = """# Goals of Osby

| Player | Season | Goals |
|---|---|---|
| Rask | 2011 | 4 |
| Rask | 2012 | 6 |
| Holm | 2011 | 9 |
"""
PHONES = """# Phones

| Feature | Nova 5 | Orbit X | Pico Mini |
|---|---|---|---|
| Weight (g) | 189 | 212 | 141 |
| Price (EUR) | 449 | 699 | 329 |
| 5G | yes | yes | no |
"""
PRICES = """# Prices

## Season 2023

| Item | Price |
|---|---|
| Mast | EUR 950 |
| Sail | EUR 780 |

## Season 2024

| Item | Price |
|---|---|
| Mast | EUR 1,250 |
| Sail | EUR 990 |
"""


@pytest.mark.parametrize(
    ("text", "question", "value", "exact"),
    [
        (BRIDGES, "How long is the Quay Bridge?", "45 m", True),
        (BRIDGES, "Who leads the Heron Bridge?", "Anke Roos", True),
        (BRIDGES, "Is the Quay Bridge lit?", "no", True),
        (BRIDGES, "Is the Lark Bridge lit?", "", True),  # an empty cell says so
        (BRIDGES, "Which bridge is the longest?", "Lark Bridge", False),
        (BRIDGES, "What is the total length of the bridges?", "475 m", False),
        (BRIDGES, "How many bridges are led by Anke Roos?", "2", False),
        (BRIDGES, "Which bridges are led by Anke Roos?", "Heron Bridge; Lark Bridge", False),
        (BRIDGES, "Which bridges are longer than 100 m?", "Heron Bridge; Lark Bridge", False),
        (SALES, "What was the revenue of Tarn Foods in 2023?", "€318 million", True),
        (SALES, "What was the net profit of Tarn Foods in 2022?", "", True),
        (SALES, "What was the revenue of Tarn Foods?", "2023: €318 million; 2022: €301 million", False),
        (ZONES, "What were the sales of Zone South in 2026?", "CHF 12553 million", True),
        (ZONES, "What was the trading profit of Zone North in 2025?", "CHF 1606 million", True),
        (ZONES, "What was the margin of Zone North in 2026?", "16.6 %", True),
        (ZONES, "Which zone had the highest sales in 2026?", "Zone South", False),
        (ZONES, "What were the total sales in 2026?", "CHF 22020 million", True),
        (INVOICE, "What is the unit price of an oak bench?", "£310.00", False),
        (STOCK, "How many motors C85 are in stock?", "61", False),
        (COURSES, "Which course is the cheapest?", "Choir", False),
        (PLANTS, "Where is the Tarn plant?", "Svea", False),
        (INVOICE, "How much VAT is charged?", "£248.00", False),
        (INVOICE, "How much is the total due on the invoice?", "£1,488.00", False),
        (STAFF, "Who is the chief financial officer?", "Elena Petit", False),
        (STAFF, "Who works in Tallinn?", "Carla Mota; Elena Petit", False),
        (STAFF, "Which people work in Tallinn?", "Carla Mota; Elena Petit", False),
        (STAFF, "How many people work in Finance?", "2", False),
        (PLANTS, "Which plants are in Norrland?", "Osby; Hallen", False),
        (PLANTS, "How many workers are there in Norrland?", "195", False),
        (PLANTS, "Which plant has the most workers?", "Osby; Tarn", False),
        (GOALS, "How many goals did Rask score?", "10", False),
        (GOALS, "How many goals were scored in 2011?", "13", False),
        (GOALS, "How many goals did Rask score in 2012?", "6", False),
        (BRIDGES, "How many bridges are longer than 100 m?", "2", False),
        (PHONES, "What is the weight of the Orbit X?", "212 g", False),
        (PHONES, "Which phone is the lightest?", "Pico Mini", False),
        (PHONES, "Which phone in the price list is the heaviest?", "Orbit X", False),
        (PHONES, "What is the cheapest phone?", "Pico Mini", False),
        (PHONES, "Which phones have 5G?", "Nova 5; Orbit X", False),
        (PHONES, "Which phones cost less than 500 euros?", "Nova 5; Pico Mini", False),
        (PHONES, "How many phones cost less than 500 euros?", "2", False),
        (HOTELS, "What is the maximum hotel price in Zurich?", "EUR 230", False),
        (MINUTES, "Who will order the water butts?", "Ben Lister", False),
        (PRICES, "How much was the sail in season 2023?", "EUR 780", True),
        (PRICES, "What was the price of the mast in 2024?", "EUR 1,250", False),
    ],
)
def test_what_the_cells_say(tmp_path: Path, text: str, question: str, value: str, exact: bool) -> None:
    found = answers(question, plan(question).kind, rows_of([shown_of(tmp_path, text)]))
    assert [one.value for one in found] == [value]
    assert found[0].exact or not exact


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (BRIDGES, "How long is the Swan Bridge?"),
        (BRIDGES, "Who designed the Heron Bridge?"),
        (SALES, "What was the revenue of Tarn Foods in 2021?"),
        (SALES, "Which quarter of 2023 had the highest sales?"),
        (PRICES, "How much is the mast?"),  # of two seasons
        (ZONES, "What were the sales of Zone South?"),  # of two years
        (BRIDGES, "How many people built the bridges?"),
        (STOCK, "Which parts are below the minimum?"),
        (STAFF, "What is the office of Carla Holm?"),
        (STAFF, "How many employees does the company have?"),
        (GOALS, "How many goals did Rask score in 2015?"),
        (ZONES, "How many profits were there in 2026?"),
        (INVOICE, "When was the oak bench sold?"),
        (MINUTES, "Who could not come to the meeting?"),
    ],
)
def test_what_no_cell_says(tmp_path: Path, text: str, question: str) -> None:
    assert answers(question, plan(question).kind, rows_of([shown_of(tmp_path, text)])) == []


def test_a_box_is_ticked_or_not(tmp_path: Path) -> None:
    one = shown_of(tmp_path, "# Lease\n\n- [x] Pets are allowed.\n- [ ] Subletting is allowed.\n")
    assert [found.value for found in boxes("Are pets allowed?", [one])] == ["yes"]
    assert [found.value for found in boxes("Is subletting allowed?", [one])] == ["no"]
    assert list(boxes("Is smoking allowed?", [one])) == []
