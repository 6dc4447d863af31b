# Microarray: probes whose expression differs between two groups, by moderated t-tests (limma, Smyth 2004).
source(file.path("in", "pestle.R"))
suppressPackageStartupMessages(library(limma))

# Intensities become logarithms; what is measured below the floor, or above the ceiling, is set to it (Golub 1999).
as_logarithms <- function(values) {
  if (max(values) <= 50 && parameters$floor <= 0) return(values)
  low <- if (parameters$floor > 0) parameters$floor else if (min(values) < 1) 100 else min(values)
  if (min(values) < low) tell("Intensities below %s were raised to it before the logarithm.", format(low))
  log2(pmax(values, low))
}

values <- read_numbers(parameters$expression)
samples <- read_samples(values)
values <- as_logarithms(values[, samples$sample, drop = FALSE])
if (parameters$normalise) values <- normalizeBetweenArrays(values, method = "quantile")
values <- values[apply(values, 1, var) > 0, , drop = FALSE]
if (nrow(values) < 10) wrong_input("fewer than 10 probes vary between the samples")

design <- model.matrix(formula_of(samples), samples)
fitted <- eBayes(lmFit(values, design), trend = parameters$trend, robust = FALSE)
found <- topTable(fitted, coef = "groupother", number = Inf, sort.by = "none")
results <- data.frame(gene = rownames(values), symbol = symbols_of(rownames(values)), mean = found$AveExpr,
                      log2fc = found$logFC, statistic = found$t, p = found$P.Value, padj = found$adj.P.Val)
results <- results[order(results$p), ]
tell_differences(results, "probes")
write_results(results)
write_figure("volcano.png", function() draw_volcano(results, parameters$alpha))
write_figure("samples.png", function() draw_components(values, samples))
finish()
