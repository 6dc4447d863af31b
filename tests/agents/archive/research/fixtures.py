"""Fictitious documents in many styles. All molecules, companies and data are invented."""

ONCOLOGY = {
    "NVX_001_CSR": """@document_type: Clinical study report
@date: 2014-06-30
# A Phase 1, first-in-human, open-label dose-escalation study of NVX-310 in patients with advanced solid tumors

## Synopsis

This was a standard 3+3 dose-escalation study of NVX-310, a humanized monoclonal antibody against the receptor tyrosine kinase AXR2.
NVX-310 was administered as a 60-minute intravenous infusion every 3 weeks (Q3W). The starting dose was 0.3 mg/kg, derived from the NOAEL of 30 mg/kg in cynomolgus monkeys.
Dose levels of 0.3, 1, 3, 10 and 20 mg/kg Q3W were evaluated in 31 patients. A planned cohort at 30 mg/kg was not opened.

## Safety

| Dose level | Patients | DLTs | Grade 3 or higher treatment-related AEs |
|---|---|---|---|
| 0.3 mg/kg | 3 | 0 | 0 |
| 1 mg/kg | 3 | 0 | 0 |
| 3 mg/kg | 6 | 0 | 1 |
| 10 mg/kg | 7 | 1 | 2 |
| 20 mg/kg | 12 | 2 | 5 |

At 20 mg/kg two of twelve patients experienced dose-limiting toxicities (grade 3 hepatitis, grade 4 thrombocytopenia).
No DLT was observed at doses up to 3 mg/kg. The recommended Phase 2 dose was 10 mg/kg Q3W.
Hepatitis with transaminase elevations was observed in 5 of 31 patients. Renal function was monitored throughout; creatinine remained within the normal range.

## Efficacy

Two partial responses were observed at 10 mg/kg Q3W in patients with melanoma. No responses were seen at doses of 3 mg/kg or below.
""",
    "NVX_IB_4": """@document_type: Investigator's brochure
@date: 2014-01-15
# NVX-310 Investigator's Brochure, edition 4

## Toxicology

In the 13-week cynomolgus monkey study the NOAEL was 30 mg/kg/week. At 100 mg/kg/week degeneration of the bile ducts and hepatocellular necrosis were seen.
The rat is not a pharmacologically relevant species.
At the NOAEL the AUC in monkeys was 9-fold higher than the human AUC at 10 mg/kg Q3W, which gives an exposure margin of 9.

## Clinical experience

In study NVX-001, NVX-310 was given intravenously. Docetaxel 75 mg/m2 may be combined with NVX-310 in study NVX-004, which has not been started.
""",
    "NVX_memo": """@document_type: Portfolio decision minutes
@date: 2015-03-02
# Minutes of the Portfolio Review Board, March 2015

## NVX-310

The Board decided to discontinue the clinical development of NVX-310. The decision was taken because of hepatotoxicity at efficacious exposures and a changed competitive landscape. The decision was not due to lack of efficacy.

## NVX-455

Development of NVX-455 was stopped owing to poor oral bioavailability in man.
""",
}

INHALED = {
    "RSP_22_01": """@document_type: Clinical study report (Phase I)
@date: 2006-02-10
# BX 7720: randomised, double-blind, repeat-dose study of inhaled BX 7720 in healthy volunteers

BX 7720 is a long-acting muscarinic antagonist. Healthy male volunteers inhaled BX 7720 from a dry powder inhaler once daily for 14 days.
Cohorts of 8 subjects received 50, 100, 200 or 400 micrograms. In a preceding single-dose part, 800 µg was given once.
No serious adverse events occurred. One subject at 400 µg had mild cough.

Salbutamol 200 µg was permitted as rescue medication.
""",
    "RSP_22_05": """@document_type: Clinical study report (Phase II)
@date: 2007-11-05
# BX 7720 in patients with COPD: a dose-ranging study

Patients with moderate COPD inhaled BX 7720 100 µg, 200 µg or placebo once daily for 12 weeks; tiotropium 18 µg once daily served as open-label comparator.

| Treatment | N | Change in trough FEV1 (mL) | p value versus placebo |
|---|---|---|---|
| Placebo | 80 | 5 | |
| BX 7720 100 µg | 82 | 48 | n.s. |
| BX 7720 200 µg | 79 | 121 | p < 0.001 |
| Tiotropium 18 µg | 81 | 118 | p < 0.001 |

BX 7720 200 µg once daily significantly improved trough FEV1 compared with placebo. The 100 µg dose did not separate from placebo.
Two serious adverse events were reported: atrial fibrillation in a patient on BX 7720 200 µg and pneumonia in a patient on tiotropium 18 µg.
""",
}

BACKUP = {
    "QT_PLAN": """@document_type: Clinical development plan
@date: 2010-05-01
# QLM-88: clinical development plan

The first-in-human study of QLM-88 will start with a single oral dose of 5 mg in healthy volunteers. A multiple ascending dose study up to 100 mg b.i.d. is planned.
The projected efficacious dose in patients is 40 mg b.i.d. No clinical studies have been conducted to date.
""",
    "QT_TOX": """@document_type: Toxicology report
@date: 2010-09-14
# QLM-88: 28-day oral toxicity study in the rat

QLM-88 was given by gavage once daily for 28 days at 0, 10, 50 and 250 mg/kg/day. At 250 mg/kg/day tubular degeneration of the kidney was found in all males. The liver was unremarkable. The NOAEL was 50 mg/kg/day.
Based on the projected human AUC at 40 mg b.i.d., the safety margin at the NOAEL is 12-fold.
""",
    "QT_STOP": """@document_type: Termination memorandum
@date: 2011-02-20
# Termination of QLM-88

QLM-88 was terminated before entering clinical trials. QLM-88 has never been administered to humans. The reason for termination was nephrotoxicity in the rat.
""",
}

PROTOCOL_AND_REPORT = {
    "DZ_PROT": """@document_type: Clinical study protocol
@date: 1998-01-10
# DZ-1450: first administration to man, single ascending doses in healthy volunteers

The starting dose will be 10 mg. Doses will be escalated to 30, 100 and 300 mg.
""",
    "DZ_CSR": """@document_type: Clinical study report
@date: 1998-12-01
# DZ-1450: first administration to man, single ascending doses in healthy volunteers

Following a request by the authority the starting dose was reduced to 3 mg. Single subcutaneous doses of 3, 10, 30 and 100 mg were given to 32 healthy men.
At 100 mg one subject had a syncope, which was classified as a serious adverse event. The 300 mg dose was not given.
""",
    "DZ_MAD": """@document_type: Clinical study report
@date: 1999-08-21
# DZ-1450: multiple subcutaneous doses in healthy volunteers

Doses of 10, 20 and 40 mg were administered subcutaneously once weekly for 4 weeks. All doses were well tolerated; adverse events were mild.
""",
    "DZ_BOARD": """@document_type: Board overview
@date: 2000-01-15
# Board overview January 2000

DZ-1450: s.c. anticoagulant. Volunteers received up to 60 mg once weekly. First-in-man dose 10 mg. Development was discontinued in December 1999 for commercial reasons.
""",
    "DZ_MIN": """@document_type: Minutes
@date: 1999-12-10
# Minutes of the Development Committee, 10 December 1999

## DZ-1450

The Committee resolved to terminate DZ-1450. Reasons:

- injection-site reactions in two thirds of the subjects;
- neutralising antibodies from week 3 onwards.

The margin of safety in relation to the rabbit (NOAEL 8 mg/kg) is 15.
""",
}

EYE = {
    "OCU_9": """@document_type: Clinical study report
@date: 2018-04-04
# OCX-902 in patients with neovascular age-related macular degeneration (Phase 2)

Patients received intravitreal injections of OCX-902 1.0 mg or 2.5 mg every 4 weeks for 24 weeks, or aflibercept 2 mg. Retinal vasculitis, a severe adverse event, occurred in one patient treated with OCX-902 2.5 mg.
Mean visual acuity improved by 7.1 letters with OCX-902 2.5 mg (p=0.003) and did not differ from sham with 1.0 mg.
""",
    "OCU_MIN": """@document_type: Email
@date: 2019-02-01
# OCX-902 status

Following the cases of retinal vasculitis, the sponsor has stopped all further work on OCX-902.
""",
}
