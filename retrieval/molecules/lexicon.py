"""Words that tell names of molecules from other words and numbers: prefixes, stems, endings, salts."""

import re

from retrieval.text.listed import words

NOT_PREFIXES = words("""
    NOK SEK DKK EUR USD GBP CHF JPY CNY KRW AUD CAD NZD SGD
    PIND CTA IMPD DMF ASMF PIP
    CAPA NCR OOS OOT ECN
    ACTRN ADAS AJCC AMES ANDA ANOVA APACHE ASTM ATC ATCC AUC BLA BMI BPI BRCA CA CAS CD CDC CDISC CEA CFR
    CHMP CHO CI CIOMS CL CMAX CO COS COVID CPMP CRP CTCAE CTRI CYP DAY DIN DOI DOSE DPP DSM DU EC ECG
    ECOG ED EEC EMA EMEA EN EORTC EPA EQ EU EUDRACT FACT FD FDA FEV FGF FIG FORM FY GCP GFR GI GLP GMP
    GPR GRADE GROUP HAM HBA HBV HCC HCT HCV HEK HELA HEPG HER HIV HL HPLC HPV HR HT IB IC ICAM ICD ICH
    IEC IFN IGG IL IND INHAND IRB ISBN ISO ISRCTN ISSN ITEM JCV KI LC LD LNCAP LOT MADRS MCF MDA MEDDRA
    MMSE NCI NCT NDA NF NIH NO NOAEL NSCLC NYHA OECD OMIM OVCAR PAGE PANSS PART PC PD PDE PEG PGP PH
    PHASE PHQ PMC PMCID PMID PSA QLQ QTC RAW REACH RECIST RNA ROOM SARS SAS SDTM SEND SF SHA SIGN SK SKOV
    SOP STAGE STUDY SW TA TABLE TD TEL THP TNF TP TWEEN UGT UMIN US USP UV VCAM VEGF VEGFR VISIT VS WEEK
    WHO WP YEAR PAX KRAS BRAF JAK STAT SMAD HSP ABC SLC OAT OCT OATP MRP BCRP LT GABA NK TLR CCR CXCR
    ENTREZ UNII CHEMBL SNOMED LOINC DOCKET GRANT BATCH REPORT PROTOCOL VERSION REV FAX PO BOX ZIP MAY
    JUNE JULY APRIL MARCH JAN FEB MAR APR JUN JUL AUG SEP SEPT NOV DEC In On At To By Of Or As An Is It
    If So Up We No Day Age Fig Tab Lot May Mar Apr Jun Jul Aug Sep Oct Nov Dec Jan Feb Arm Ref Art Vol Eq
    Nr Nos All And The For Man Men Rat Dog Sex Per Box Use See Two Ten Six One Tc Lu Ga Cu Zr Co Cs Sr Sm
    Re Ra Ac Xe Kr
    ACR EASI PASI SCORAD DLQI CDLQI POEM IGA PGA BASDAI BASFI ASAS DAS CDAI SDAI HAQ SLEDAI BILAG SRI EDSS
    SDMT ALSFRS UPDRS ADCS CDR CGI YMRS HDRS HAMD HAMA GAD BDI MOCA KCCQ SGRQ ACQ AQLQ SNOT FACIT FACT IPSS
    IIEF NRS VAS WOMAC KOOS BCVA ETDRS UAS ESSDAI MELD APGAR NIHSS SOFA GCS
""")
"""Prefixes of money, genes, cell lines, clinical scores, norms, registers, nuclides, and words that numbers
follow.
"""

HOUSE_PREFIXES = words("""
    ABT ABBV ACT AG AKB ALKS ALN ALX AMG APD ARN ARRY AT AVE AVL AVP AZ AZD AZN BAF BAL BAY BCX BEZ BGB BIBF
    BIBR BIBW BIIB BIRB BIX BKM BLU BMN BMS BRL BYL CCX CEP CFG CGP CHIR CHR CNTO CPI CPX CTI CUDC CYT DMP
    DPC DS DX EMD ENMD EPI EPZ ERB EVP EVT EXEL FK FTY GDC GLPG GNE GNF GS GSK GW HKI HMR IMC IMGN INC INCB
    INK IPI ISIS JNJ JTE KAF KPT KRN KRX KW LAF LBH LCL LDE LDK LEE LGD LGX LOXO LSN LU LX LY MAA MDL MEDI
    MEK MGCD MK MLN MM MPC MRTX MRX NBI NKTR NVP NVS OBE ODM ONO OPC ORG OSI PCI PF PHA PKC PKI PLX PNU PRT
    PRX PTC PTK RAD RAF RDEA REGN RG RGB RO RPR RVX SAM SAR SB SCH SCIO SEP SG SGN SKF SNDX SNS SR SRT SSR
    STI SYN TAK TAS TG TKI TMC TRC UCB UK URB VLA VRT VX WAY WIN XL XEN YM ZD ZEN ZK
""")
"""Letters before the numbers that pharmaceutical houses give to their compounds, in capitals."""

STATE_CODES = words("""
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH
    OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR
""")
COUNTRY_CODES = words("""
    A AT B BE BG CH CY CZ D DE DK E EE ES F FI FIN FR GB GR H HR HU I IE IS IT L LI LT LU LV MT N NL NO P PL
    PT RO RS S SE SI SK UK JP CN IN KR TW SG AU NZ CA MX BR
""")
"""What stands before a postal code in an address."""

SALTS = (
    r"(?:hydrochloride|dihydrochloride|sodium|potassium|calcium|mesylate|mesilate|maleate|fumarate|tartrate|"
    r"citrate|sulfate|sulphate|phosphate|acetate|succinate|besylate|besilate|tosylate|bromide|hydrobromide|"
    r"medoxomil|disoproxil|alafenamide|pamoate|palmitate|lactate|malate|difumarate|etexilate)"
)
STEM = re.compile(
    r"[a-z]{2,}(?:[mt]ab|[a-z]mab|[a-z]bart|tinib|anib|rafenib|ciclib|degib|parib|lisib|zomib|sertib|[a-z]nib|gliptin|"
    r"gliflozin|glitazone|glitazar|glutide|glifam|gliatin|glinide|formin|sartan|[a-z]pril|prilat|olol|dipine|"
    r"statin|vastatin|fibrate|trapib|coxib|profen|triptan|gepant|setron|pitant|azepam|zolam|peridone|"
    r"piprazole"
    r"|apine|oxetine|traline|caine|barbital|curium|conazole|fungin|cillin|cycline|floxacin|mycin|micin|"
    r"oxacin|"
    r"vir|buvir|asvir|previr|tegravir|navir|ciclovir|citabine|taxel|rubicin|platin|poside|tecan|bulin|limus|"
    r"lukast|terol|tropium|sonide|metasone|olone|steride|lutamide|relix|relin|xaban|gatran|grel|grelor|parin|"
    r"teplase|kinra|cept|[aeiou]kin|stim|poetin|tide|glumide|prazole|prazan|tidine|sentan|ciguat|vaptan|renone|"
    r"zosin|"
    r"afil|orexant|perone|racetam|bamate|dronate|dronic|oxifene|trozole|stat|inostat|anserin|nicline|clidine|"
    r"pezil|stigmine|tropine|drine|antel|quine|oquine|bactam|penem|cef[a-z]+|thiazide|semide|setine|tapentin)"
)
"""Stems of international non-proprietary names (WHO stem book), at the end of a lower-case word."""

OTHERWISE = words("""
    table figure phase study cohort group site version visit type part section appendix page period cycle
    step level stage grade batch experiment sample patient subject animal protocol report annex chapter
    number item day days week weeks month months year years hour hours dose doses panel series class example
    formulation method test plate well lane room building volume issue question answer reference model
    stratum region lead project program programme candidate compound molecule substance drug target product
    asset agent treatment module footnote note slide sheet line row column minutes supplement amendment
    revision draft scheme equation listing attachment exhibit article rule form generation tier wave round
    session block store cage control vehicle placebo comparator regimen schedule sequence combination option
    plan strategy strength size zone position peak spot fraction impurity degradant metabolite intermediate
    isomer enantiomer diastereomer unknown fragment residue exon carton bottle syringe vial vials ampoule
    tablet tablets capsule capsules release windows excel vitamin factor interleukin interferon coenzyme
    kinase caspase cyclin notch tween span polysorbate poloxamer pluronic macrogol dextran monday tuesday
    wednesday thursday friday saturday sunday sept centre center about after before between since until with
    from over under only minus plus january february march april june july august september october november
    december
""")
"""Words before a number that name something else."""

NOT_NAMES = OTHERWISE | words("""
    current controls compounds studies drugs antibody antibodies protein peptide agents products oral
    intravenous subcutaneous groups active asthma cancer diabetes cough hypertension arthritis insulin
    vaccine medicine human humans women woman children alcohol albumin origin margin brain skin pain toxin
    inhibitor antagonist agonist blocker opener modulator ester esters salt base alone above below both
    standard backup follow final planned stopped completed ongoing ocean million billion certain contain
    obtain remain retain within begin again maintain pattern marker kidney liver heart lung urine plasma
    blood serum tumor tumour mouse mice rabbit monkey median mean range total approx average person reason
    lesson season mission admission however antigen oxygen hydrogen nitrogen estrogen oestrogen androgen
    collagen specimen abdomen gene hormone steroid opioid lipid fluid acid amino amide oxide dioxide chloride
    bromide iodide fluoride hydroxide sodium potassium calcium magnesium lithium medium premium maximum
    minimum optimum momentum spectrum climate estimate evaluate private accurate moderate separate
    appropriate immediate certificate duplicate date rate state baseline routine machine online discipline
    guideline guidelines deadline headline outline pipeline combine determine examine decline define refine
    genuine marine alkaline murine canine feline bovine porcine equine phone bone tone someone anyone
    everyone milestone cyclone provide inside outside worldwide wide side guide decide include exclude divide
    beside aside general special several normal abnormal journal original national regional hospital medical
    clinical preclinical nonclinical initial partial trial material annual manual virus focus status versus
    thus census campus bonus chorus genus pus open often even seven eleven given taken then when screen green
    golden wooden sudden hidden garden burden chicken kitchen detail email council pencil civil fossil devil
    evil label novel channel vessel school cholesterol glycerol ethanol methanol symbol symptom system
    problem concept percept precept intercept thermostat rheostat cryostat precipitant graceful forceful
    henceforth ghrelin histidine cytidine deoxycytidine lactide chaperone cochaperone carbamate cystatin
    follistatin hobart quinolone quinolones
""")
NOT_STEM = re.compile(r"[a-z]*(?:peptide|nucleotide|inositide|globulin|tubulin|cholesterol)")
"""Kinds of substances in cells, with endings that names of drugs have."""

ENGLISH_ENDING = re.compile(
    r".*(?:tion|sion|ment|ness|ity|ism|ist|ists|ors|ers|ing|ings|ed|ly|ous|able|ible|ful|less|logy|graphy|"
    r"pathy|"
    r"itis|genic|osis|emia|aemia|algia|oma|ase|ases|ship|ence|ance|ency|ancy|ies|ical|ary|ory|ess|ism|ways?|ter|"
    r"tor)"
)
NAME_ENDING = re.compile(
    r".*(?:in|ol|il|an|am|ib|ab|ir|ix|ant|ent|one|ide|ine|ate|en|id|yl|ium|os|at|as|el|on|ac|ic|"
    r"ox|im|om|um|ip|ap|od|ost|ast|ert|ort|ept|ane|ene|ole|ile|ase|ose|azo|ado|ero|ino|ix|yx|ef|if|af)"
)
