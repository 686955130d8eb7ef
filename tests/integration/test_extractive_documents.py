"""The policy without a model on documents that are no encyclopaedia: minutes, a contract, a mail, a recipe."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings

DOCUMENTS = Path(__file__).parents[1] / "documents"
ANSWERS = {
    # minutes
    "When does the dredging of the inner basin begin?": "2 May 2023",
    "Which company dredges the inner basin?": "Brackwater Marine",
    "How much does the dredging cost?": "48,500 euros",
    "How long does the dredging take?": "nine days",
    "When does the next meeting take place?": "9 May 2023",
    "Where does the next meeting take place?": "Lunde",
    "Who chaired the meeting of the harbour committee?": "Runa Keld",
    "Who proposed to replace the crane?": "Tobias Arn",
    "When did the crane fail its inspection?": "27 February 2023",
    "How much does a new crane cost?": "112,000 euros",
    "Who was elected treasurer?": "Marten Vale",
    "Whom did Marten Vale succeed as treasurer?": "Ingrid Solberg",
    # contract
    "Who is the landlord?": "Calder Estates Limited",
    "Who is the tenant?": "Tarn End Rowing Club",
    "Who is the surveyor?": "Edwina Marsh",
    "When does the lease begin?": "1 October 2021",
    "When does the lease end?": "30 September 2031",
    "What is the annual rent?": "7,200 pounds",
    "Who holds the deposit?": "Norrland Savings Bank",
    "Who maintains the roof of the boathouse?": "the landlord",
    "Who maintains the slipway?": "the tenant",
    "By what law is the lease governed?": "Scotland",
    "Who signed for the landlord?": "Gordon Pell",
    "Who signed for the tenant?": "Amara Whitlock",
    # manual
    "Who makes the Kestrel 300?": "Fenwick Instruments",
    "What is the maximum wind speed?": "60 m/s",
    "How long do the batteries last?": "400 hours",
    "How often must the instrument be calibrated?": "24 months",
    "How long does a calibration take?": "five days",
    "What does error E4 mean?": "the impeller is blocked",
    "What does error E7 mean?": "the battery is low",
    "How do I clear an error?": "press and hold the POWER button for 10 seconds",
    "How long does the warranty last?": "36 months",
    # frequent questions of a library
    "How many books may adults borrow?": "12",
    "How many books may children borrow?": "six",
    "How long is the loan period?": "three weeks",
    "Who looks after the reading room?": "Mrs. Helena Duarte",
    "How much is the annual fee?": "15 euros",
    # release notes
    "When was Tern 4.2 released?": "14 March 2025",
    "What does Tern 4.2 replace?": "Tern 4.1",
    "Until when will Tern 4.1 be supported?": "December 2025",
    "What format are configuration files written in?": "TOML",
    "Who contributed the Windows installer?": "Priya Raman",
    "Who reported the memory leak?": "Tomasz Zielinski",
    "Which version of Python does Tern require?": "3.10",
    "Who maintains Tern?": "Halyard Foundation",
    "Where is the foundation that maintains Tern based?": "Utrecht",
    "What licence is Tern under?": "Apache License 2.0",
    # an e-mail
    "Who is the owner of the building?": "Craigmore Estates",
    "When must we leave the Aberdeen office?": "30 September 2024",
    "How much is the unit on Holburn Street?": "5,200 pounds",
    "Who prefers Marischal House?": "Jonas",
    "Why does Jonas prefer Marischal House?": "it is close to the station",
    "Who is the solicitor?": "Fiona Baird",
    "What is the budget for the move?": "18,000 pounds",
    "How long would the lease run?": "five years",
    # a report in a newspaper
    "Which river rose overnight?": "River Ewe",
    "Who built the Carrick Bridge?": "Robert Aske",
    "When was the Carrick Bridge built?": "1931",
    "Where was the engineer of the Carrick Bridge born?": "Leeds",
    "Who is the mayor of Dunmore?": "Mayor Lucy Tennant",
    "How old is Dean Oyelaran?": "34",
    "How much is the damage estimated at?": "2.5 million dollars",
    "How many people were moved?": "300",
    "Where were the people moved to?": "Dunmore High School",
    "Since when has Lucy Tennant led the town?": "2019",
    "What did Robert Aske design?": "Harbour Tunnel",
    # the abstract of a paper
    "How many gardens were studied?": "24",
    "Who funded the study?": "Lindqvist Trust",
    "Who led the study of blue-banded bees?": "Dr. Amara Nwosu",
    "At what temperature did activity peak?": "26 degrees Celsius",
    # a recipe
    "How long should the walnut cake bake?": "45 minutes",
    "How many eggs are in the walnut cake?": "four",
    "What is the cake glazed with?": "apricot jam",
    "Where did Elsa run the Café Linde?": "Graz",
    # a résumé
    "Where was Daniel Achterberg born?": "Groningen",
    "When was Daniel Achterberg born?": "1987",
    "Where does Daniel Achterberg live?": "Rotterdam",
    "What languages does Daniel Achterberg speak?": "Dutch, English, Portuguese",
    "Where did Daniel Achterberg study?": "Delft University of Technology",
    # a handbook
    "Who founded Larkspur Bakery?": "Noor Haddad",
    "When was Larkspur Bakery founded?": "1994",
    "How many people does Larkspur Bakery employ?": "62",
    "Where is the head office of Larkspur Bakery?": "Elmstead",
    "When does the early shift begin?": "4 am",
    "When does the early shift end?": "noon",
    "How many days of paid leave do employees get?": "28 days",
    "Who is the shift leader in Wick?": "Pavel Novak",
    "Why is overtime paid at one and a half times the normal rate?": "the night work is hard",
    "Where was the Hartmann D40 made?": "Stuttgart",
    "When was the Wick oven installed?": "2017",
    "What temperature does the Wick oven reach?": "280 degrees",
    "How often must the dough mixer be cleaned?": "every evening",
    "Where are spare parts kept?": "the cellar behind the flour store",
    # the plan of a tour
    "Where do we meet on day 1?": "Vilaro",
    "Who is the guide?": "Marta Oliveira",
    "How long does the walk to the Cabril hut take?": "four hours",
    "How high is Pico Branco?": "1,842 metres",
    "When was the chapel on the summit built?": "1622",
    "When did the museum in Lamas open?": "1988",
    "How much does the tour cost?": "640 euros",
    "How much more does a single room cost?": "90 euros",
    "Why should I bring a warm jacket?": "nights are cold",
    "Who organises the tour?": "Trilhas Lda",
    "Where is Trilhas Lda. based?": "Porto",
    # a ruling
    "Who was the judge in Penrose v. Delmont?": "Judge Harriet Osei",
    "What did Walter Penrose work as?": "crane operator",
    "Since when had Walter Penrose worked for Delmont?": "2008",
    "How old was the chain?": "14 years",
    "Who represented Delmont?": "Simon Achebe",
    "Where is Delmont's yard?": "Kingsferry",
    # statutes
    "When was the Ashgrove Sailing Club established?": "1911",
    "How many members does the committee have?": "five",
    "For how long is the committee elected?": "two years",
    "When are membership fees due?": "1 April",
    "Who issues the keys?": "the secretary",
    "Who is the secretary of the Ashgrove Sailing Club?": "Lena Fischer",
    "Who is the treasurer of the Ashgrove Sailing Club?": "Omar Said",
    "Who represents the club?": "Judith Kwan",
    "Who gets the assets if the club is dissolved?": "Ashgrove Children's Hospital",
    # a blog
    "Where did Quillfeather move its servers?": "Reykjavik",
    "When did Quillfeather move its servers?": "2022",
    "How much cheaper is electricity in Iceland?": "40%",
    "How long did the migration take?": "eleven weeks",
    "Who wrote Driftwood?": "Beatriz Campos",
    "What did Beatriz Campos write?": "Driftwood",
    "Who is the founder of Quillfeather?": "Tobias Rehn",
    "How much does Quillfeather store for the Nordic Film Archive?": "900 terabytes",
    # an incident report
    "Who reported the incident?": "Yusuf Brandt",
    "How long did the outage last?": "3 hours 40 minutes",
    "What was the cause of the outage?": "an expired certificate on the load balancer in Oslo",
    "Where is the load balancer?": "Oslo",
    "Who was the on-call engineer?": "Petra Lindqvist",
    "Who noticed the expired certificate?": "Hugo Amsel",
    "Who issued the certificate?": "Certo Trust",
    "When did Dana Whitfield leave the company?": "June",
    "Who writes the runbook for the load balancer?": "Yusuf Brandt",
    "How many customers were affected?": "1,900",
    "When was service restored?": "12:52",
    # a travel guide
    "On which river does Port Sabine lie?": "Leeve",
    "Who opened the Hotel Meridian?": "Albertine Roux",
    "When was the Hotel Meridian opened?": "1902",
    "What was Albertine Roux?": "former opera singer",
    "Where does the ferry to Port Sabine sail from?": "Tolby",
    "How much does the ferry cost?": "18 crowns",
    "How long does the crossing take?": "fifty minutes",
    "How high is the tower of St. Brannoc's Church?": "43 metres",
    "When was the tower of St. Brannoc's Church struck by lightning?": "1955",
    "On which day is the Museum of Salt closed?": "Mondays",
    "What is the highest point of Port Sabine?": "the Signal Hill",
    "Who laid out the Botanical Garden?": "Niels Fogh",
    "What nationality was the gardener of the Botanical Garden?": "Danish",
    "What is the Botanical Garden famous for?": "its orchids",
    "What is Leeve Gold brewed with?": "seaweed",
    "When does the night market take place?": "every Saturday",
    # a call for tenders
    "Who built the Hartwell Bridge?": "Dorne Ironworks",
    "What is the estimated value of the works?": "2.4 million dollars",
    "When do the works begin?": "1 March 2026",
    "How long do the works take?": "14 months",
    "Who is the town engineer?": "Roland Achterberg",
    "When are the tenders opened?": "18 November 2025",
    "By when must tenders be submitted?": "15 November 2025",
    "How much is the bid bond?": "50,000 dollars",
    "Who answers questions about the tender?": "Felicity Ndiaye",
    "Where do bidders meet?": "the northern pier",
    "How many vehicles cross the Hartwell Bridge every day?": "6,000",
    # a laboratory notebook
    "Where were the fungus samples collected?": "the caves of Mount Verrin",
    "Who paid for the photometer?": "Halvard Foundation",
    "Why did V3 die?": "the incubator failed over the weekend",
    "Who repaired the incubator?": "Tomas Reyes",
    "Who keeps the spare culture?": "Mei Okada",
    "To which journal was the manuscript sent?": "Journal of Cave Biology",
    "Who is the editor of the Journal of Cave Biology?": "Harriet Lowell",
    "What colour does V3 glow?": "green",
    "When did V3 die?": "2 February",
    "When was the manuscript accepted?": "28 May",
    "When were the fungus samples received?": "12 January",
    # a newsletter
    "Who teaches chemistry?": "Mr. Callum Reyes",
    "Who retired after thirty-one years?": "Mrs. Pym",
    "When was the new gym opened?": "14 September",
    "Who opened the new gym?": "Leonora Hask",
    "How much did the new gym cost?": "1.3 million pounds",
    "What will the old gym be turned into?": "library",
    "How old is Priya Nair?": "eleven",
    "Where is the winter concert?": "St. Anne's Church",
    "When is the open evening?": "12 November",
    "How much do school lunches cost?": "2.80 pounds",
    "Where is the lost property box kept?": "outside the caretaker's room",
    "Who is the headteacher?": "Edith Falk",
    # a press release
    "From which museum was the painting stolen?": "Ostrander Museum",
    "Where was the painting found?": "Veldt",
    "Who painted Woman with a Lute?": "Cornelia van Hees",
    "What is the painting valued at?": "3 million euros",
    "How old is the man who was arrested?": "61",
    "How much is the reward?": "25,000 euros",
    "Why is the painting damaged?": "it was rolled up",
    "Who restores the painting?": "Institute of Conservation",
    # a product page
    "Who makes the Wren Commuter?": "Halden Cycles of Oslo",
    "Who designed the Wren Commuter?": "Sunniva Dahl",
    "Which award did the Wren Commuter win?": "Nordic Design Award",
    "How much does the Wren Commuter weigh?": "14.5 kg",
    "What is the range of the Wren Commuter?": "60 km",
    "How long does charging take?": "3.5 hours",
    "What is the price of the Wren Commuter?": "2,190 euros",
    "What is the frame made of?": "recycled aluminium",
    "How long is the battery guaranteed?": "three years",
    "Why were bicycles recalled?": "a faulty hinge",
    "How many bicycles were recalled?": "500",
    "Who sells spare parts?": "Pedal & Post",
    "Where is the battery?": "the seat post",
    "How long does folding take?": "ten seconds",
    # an obituary
    "When did Ludwig Brenner die?": "Thursday",
    "Where did Ludwig Brenner die?": "Steinfurt",
    "How old was Ludwig Brenner?": "88",
    "Where was Ludwig Brenner born?": "Lauenburg",
    "From whom did Ludwig Brenner learn his trade?": "Otto Kranz",
    "How many pipes does the organ of St. Nikolai have?": "3,200",
    "When was the organ of St. Nikolai completed?": "1978",
    "What did Brenner invent in 1984?": "wind regulator",
    "Which award did Brenner receive in 1991?": "Silver Tuning Fork",
    "Who were the students of Brenner?": "Agnes Weil and Jonas Petrow",
    "Who was the wife of Ludwig Brenner?": "Marta Olesen",
    "Who runs the workshop?": "Leonie",
    "When does the funeral take place?": "4 June",
    "What did Ludwig Brenner build?": "forty church organs",
    # a policy
    "From when is the policy valid?": "1 January 2025",
    "Through whom are flights booked?": "Skylark Travel",
    "How much may a night cost?": "160 euros",
    "Where are rental cars taken from?": "Rovero",
    "Who pays fines?": "the driver",
    "What is the daily allowance?": "38 euros",
    "How long are receipts kept?": "six years",
    "Who checks the claims?": "Monika Szabo",
    "What is the extension of the travel desk?": "4471",
    # a field diary
    "When was barley sown?": "3 April",
    "How large is the Long Acre?": "12 hectares",
    "Who is the vet?": "Dr. Imre Vadas",
    "How many sheep were vaccinated?": "64",
    "How much did the tractor cost?": "48,000 pounds",
    "When did the rain begin?": "16:30",
    "What is the name of the dog?": "Flint",
    "How much did the insurance pay?": "1,200 pounds",
    "When was the storm?": "21 September",
}
UNTOLD = (
    "Who is the landlord's lawyer?",
    "What colour is the boathouse?",
    "When was the boathouse built?",
    "Who is the president of the rowing club?",
    "What is the tenant's phone number?",
    "How many members does the harbour committee have?",
    "Who repairs the crane?",
    "What is the price of the Kestrel 300?",
    "Which company does Daniel Achterberg's brother work for?",
    "Who is the architect of Marischal House?",
    "Why was the Harbour Tunnel built?",
    "How often is the Wick oven repaired?",
)


@pytest.fixture(scope="module")
def kb(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(f"test-{uuid.uuid4().hex[:12]}", settings=settings) as opened:
        report = opened.ingest(str(DOCUMENTS))
        assert report.documents == len(list(DOCUMENTS.iterdir()))
        yield opened
        opened.delete()


@pytest.mark.parametrize("question", ANSWERS)
def test_what_a_document_tells_is_read(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert trajectory.answer == ANSWERS[question]
    assert trajectory.citations


@pytest.mark.parametrize("question", UNTOLD)
def test_what_no_document_tells_is_not_made_up(kb: KnowledgeBase, question: str) -> None:
    trajectory = kb.ask(question, policy="extractive", store=False)
    assert (trajectory.answered, trajectory.stopped, trajectory.citations) == (False, "unknown", ())
