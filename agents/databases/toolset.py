"""All tools of public databases, over one reach."""

from agents.databases.chembl_drugs import chembl_tool
from agents.databases.clinvar import clinvar_tool
from agents.databases.drugcentral import drugcentral_tool
from agents.databases.gene2phenotype import clingen_tool, gene2phenotype_tool, hpo_tool
from agents.databases.gene_ontology import gene_ontology_tool
from agents.databases.gnomad import gnomad_tool
from agents.databases.gtex import gtex_tool
from agents.databases.gwas_catalog import gwas_catalog_tool
from agents.databases.impc import mouse_knockouts_tool
from agents.databases.literature import literature_tool
from agents.databases.mgi import mouse_phenotypes_tool
from agents.databases.ncbi_gene import ncbi_gene_tool
from agents.databases.ndc_targets import ndc_tool
from agents.databases.open_targets_profile import open_targets_tool
from agents.databases.open_targets_reports import open_targets_drugs_tool
from agents.databases.open_targets_safety import CURATED_SAFETY, open_targets_safety_tool
from agents.databases.openfda_safety import drug_labels_tool
from agents.databases.ports import Reach
from agents.databases.protein_atlas import protein_atlas_tool
from agents.databases.reactome import reactome_tool
from agents.databases.relatives import relatives_tool
from agents.databases.sider import sider_tool
from agents.databases.target_tool import TargetTool
from agents.databases.targets import Targets
from agents.databases.trial_events import clinical_trials_tool
from agents.databases.uniprot import uniprot_tool
from agents.tools.toolset import Toolset

TOOLS: tuple[TargetTool, ...] = (
    uniprot_tool,
    ncbi_gene_tool,
    gene_ontology_tool,
    reactome_tool,
    gtex_tool,
    protein_atlas_tool,
    gnomad_tool,
    gwas_catalog_tool,
    gene2phenotype_tool,
    clingen_tool,
    hpo_tool,
    clinvar_tool,
    mouse_phenotypes_tool,
    mouse_knockouts_tool,
    chembl_tool,
    drugcentral_tool,
    ndc_tool,
    open_targets_drugs_tool,
    open_targets_tool,
    clinical_trials_tool,
    drug_labels_tool,
    sider_tool,
    relatives_tool,
    literature_tool,
    open_targets_safety_tool,
)
"""One line a tool, in the order in which a reader wants them."""

CURATED = frozenset((CURATED_SAFETY,))
"""Tools that reply with curated target safety. An evaluation against such reviews must not have them."""


def database_tools(reach: Reach, *, curated: bool = True, targets: Targets | None = None) -> Toolset:
    """The tools of all databases. They share one resolver, `targets`, so that a name is resolved once.

    Without `curated` those of `CURATED` are left out, as an evaluation has to.
    """
    shared = targets or Targets(reach)
    tools = (one(reach, shared) for one in TOOLS)
    return Toolset("databases", (tool for tool in tools if curated or tool.name not in CURATED))
