"""`pestle eval …`: what Pestle does, compared with what experts gave or judged."""

import typer

from adapters.cli.lazy import LazyGroup, of

PANELS = {
    "Questions to the archive": {
        **of("eval.archive", archive="Typed questions of a gold set, scored as in the paper."),
        **of("eval.questions", questions="Natural questions, scored by kind of question."),
        **of("eval.retrieval", retrieval="Search by words, by meaning and by both."),
        **of("eval.records", records="Titles, dates and molecules of records, against a reader's."),
        **of("eval.support", support="Each value shown, against the text that it cites."),
        **of("eval.claims", claims="True and false claims, against the passages they cite."),
    },
    "Target safety reports": {
        **of("eval.safety", safety="Liabilities shown, against those that reviews name."),
        **of("eval.refinement", refinement="What a request changed, where it should and elsewhere."),
        **of("eval.orthologs", orthologs="Chosen orthologs, against the expected ones."),
    },
    "Pharmacovigilance": {
        **of("eval.vigilance", vigilance="Drugs and outcomes, against what experts judged."),
        **of("eval.extraction", extraction="Adverse events found, against those that experts marked."),
    },
    "Protocols": {
        **of("eval.protocol", protocol="Reports of articles and their accessions, against the articles."),
        **of("eval.programs", programs="Programs of protocols, on data with published answers."),
    },
    "Molecule design": {
        **of("eval.guard", guard="Dangerous and harmless requests, against what is refused."),
        **of("eval.design", design="What a search reaches with a budget of oracle calls, beside peers."),
        **of("eval.leads", leads="Docking near a seed, within limits on every lead."),
    },
}

eval_commands = typer.Typer(
    cls=LazyGroup.of(PANELS), help="Score Pestle on documents with gold answers.", no_args_is_help=True
)


@eval_commands.callback()
def _group() -> None:
    """Score Pestle on documents with gold answers."""
