# Bulk RNA-seq: genes whose counts differ between two groups of samples, within blocks (pairs) where given.
# DESeq2 (Love 2014), edgeR quasi-likelihood (Chen 2016) or limma-voom (Law 2014); Benjamini-Hochberg.
source(file.path("in", "pestle.R"))

by_deseq2 <- function(counts, samples, design) {
  suppressPackageStartupMessages(library(DESeq2))
  data <- DESeqDataSetFromMatrix(counts, samples, design)
  found <- results(DESeq(data, quiet = TRUE), contrast = c("group", "other", "reference"), alpha = parameters$alpha)
  data.frame(mean = found$baseMean, log2fc = found$log2FoldChange, statistic = found$stat, p = found$pvalue,
             padj = found$padj)
}

by_edger <- function(counts, samples, design) {
  suppressPackageStartupMessages(library(edgeR))
  matrix <- model.matrix(design, samples)
  data <- estimateDisp(calcNormFactors(DGEList(counts)), matrix)
  found <- glmQLFTest(glmQLFit(data, matrix), coef = "groupother")$table
  data.frame(mean = found$logCPM, log2fc = found$logFC, statistic = sign(found$logFC) * sqrt(found$F),
             p = found$PValue, padj = p.adjust(found$PValue, "BH"))
}

by_voom <- function(counts, samples, design) {
  suppressPackageStartupMessages(library(edgeR))
  matrix <- model.matrix(design, samples)
  fitted <- eBayes(lmFit(voom(calcNormFactors(DGEList(counts)), matrix), matrix))
  found <- topTable(fitted, coef = "groupother", number = Inf, sort.by = "none")
  data.frame(mean = found$AveExpr, log2fc = found$logFC, statistic = found$t, p = found$P.Value,
             padj = found$adj.P.Val)
}

counts <- read_numbers(parameters$counts)
if (any(counts < 0 | counts != round(counts))) wrong_input(parameters$counts, " holds something that is no count")
storage.mode(counts) <- "integer"
samples <- read_samples(counts)
counts <- counts[, samples$sample, drop = FALSE]
kept <- rowSums(counts >= parameters$least_count) >= min(table(samples$group))
counts <- counts[kept, , drop = FALSE]
if (nrow(counts) < 10) wrong_input("fewer than 10 genes have enough counts")

method <- switch(parameters$method, deseq2 = by_deseq2, edger = by_edger, "limma-voom" = by_voom)
found <- method(counts, samples, formula_of(samples))
results <- cbind(gene = rownames(counts), symbol = symbols_of(rownames(counts)), found)
results <- results[order(results$p, na.last = TRUE), ]
tell_differences(results)
write_results(results)
per_million <- log2(t(t(counts) / colSums(counts)) * 1e6 + 1)
write_figure("volcano.png", function() draw_volcano(results, parameters$alpha))
write_figure("samples.png", function() draw_components(per_million, samples))
finish()
