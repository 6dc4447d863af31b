# What every analysis of Pestle reads first: its parameters, checked tables, and how results are written.
# Inputs and parameters.json lie in the folder "in"; results go to the folder "out".
options(stringsAsFactors = FALSE, warn = 1)
parameters <- jsonlite::fromJSON(file.path("in", "parameters.json"))
set.seed(parameters$seed)
dir.create("out", showWarnings = FALSE)

# Ends the analysis: an input is not what it has to be.
wrong_input <- function(...) stop("input: ", ..., call. = FALSE)

# A table with a head, separated by commas or tabs, gzipped or not.
read_any <- function(name) {
  path <- file.path("in", name)
  if (!file.exists(path)) wrong_input("there is no file ", name)
  separator <- if (grepl("\t", readLines(path, n = 1), fixed = TRUE)) "\t" else ","
  read.table(path, header = TRUE, sep = separator, quote = "\"", comment.char = "", check.names = FALSE)
}

# A matrix of numbers: names of rows in the first column.
read_numbers <- function(name) {
  table <- read_any(name)
  values <- suppressWarnings(as.matrix(data.frame(lapply(table[-1], as.numeric), check.names = FALSE)))
  if (anyNA(values)) wrong_input(name, " holds something that is no number")
  rownames(values) <- as.character(table[[1]])
  values
}

# The samples in the order of the columns of `values`: group with the levels "reference" and "other", and block.
read_samples <- function(values) {
  samples <- read_any(parameters$samples)
  missing <- setdiff(samples$sample, colnames(values))
  if (length(missing)) wrong_input("no values for the samples ", paste(missing, collapse = ", "))
  groups <- c(parameters$reference, parameters$other)
  if (!all(groups %in% samples$group)) wrong_input("the groups are not ", paste(groups, collapse = " and "))
  samples <- samples[samples$group %in% groups, , drop = FALSE]
  samples$group <- factor(samples$group, groups, c("reference", "other"))
  if ("block" %in% names(samples)) samples$block <- factor(samples$block)
  samples
}

# The design of a comparison, within blocks where there are any.
formula_of <- function(samples) if ("block" %in% names(samples)) ~ block + group else ~ group

# One row for each name: of several the one with the highest mean. Rows without a name are left out.
one_per_name <- function(values, names) {
  named <- !is.na(names) & names != ""
  values <- values[named, , drop = FALSE]
  names <- names[named]
  best <- order(-rowMeans(values))
  best <- sort(best[!duplicated(names[best])])
  values <- values[best, , drop = FALSE]
  rownames(values) <- names[best]
  values
}

# Symbols of genes from a table with the columns id and symbol, where one was given; else the ids.
symbols_of <- function(ids) {
  if (is.null(parameters$symbols) || parameters$symbols == "") return(ids)
  known <- read_any(parameters$symbols)
  found <- known$symbol[match(sub("\\.[0-9]+$", "", ids), known$id)]
  ifelse(is.na(found) | found == "", ids, found)
}

lines_told <- character()
# A line of what was found, as a reader is told it.
tell <- function(...) lines_told <<- c(lines_told, sprintf(...))
counted <- function(n) format(n, trim = TRUE, scientific = FALSE)
rounded <- function(x) formatC(x, digits = 3, format = "g", flag = "#", width = 1)
p_value <- function(p) ifelse(p < 1e-300, "below 1e-300", formatC(p, digits = 2, format = "g", flag = "#"))

write_table <- function(table, name) {
  numeric <- vapply(table, is.double, logical(1))
  table[numeric] <- lapply(table[numeric], signif, digits = 6)
  write.csv(table, file.path("out", name), row.names = FALSE, na = "")
}

# The result table, and its first rows apart.
write_results <- function(table, rows = 20) {
  write_table(table, "results.csv")
  write_table(head(table, rows), "top.csv")
}

# A picture drawn by `draw`.
write_figure <- function(name, draw, width = 1400, height = 1100) {
  png(file.path("out", name), width = width, height = height, res = 180, type = "cairo")
  on.exit(dev.off())
  par(mar = c(4.5, 4.5, 2.5, 1), las = 1)
  draw()
}

# What was found, the packages and the seed: the last call of every analysis.
finish <- function() {
  writeLines(lines_told, file.path("out", "summary.txt"))
  cat(lines_told, sep = "\n")
  told <- capture.output(sessionInfo())
  writeLines(c(paste("seed", parameters$seed), told), file.path("out", "session.txt"))
}

colours <- c("#1b6ca8", "#c8553d", "#5b8c5a", "#8d6a9f", "#c9a227", "#4c4c4c")

# A volcano plot of results with the columns symbol, log2fc, p and padj.
draw_volcano <- function(results, alpha) {
  significant <- !is.na(results$padj) & results$padj < alpha
  height <- -log10(pmax(results$p, 1e-300))
  plot(results$log2fc, height, pch = 20, cex = 0.4, col = ifelse(significant, colours[2], "#b0b0b0"),
       xlab = paste0("log2 fold change, ", parameters$other, " against ", parameters$reference),
       ylab = "-log10 p", main = "Volcano plot")
  named <- head(which(significant), 10)
  if (length(named)) text(results$log2fc[named], height[named], results$symbol[named], pos = 3, cex = 0.6)
}

# Samples on the first two principal components of the 500 most variable rows.
draw_components <- function(values, samples) {
  variable <- head(order(-apply(values, 1, var)), 500)
  found <- prcomp(t(values[variable, , drop = FALSE]))
  share <- round(100 * found$sdev^2 / sum(found$sdev^2))
  plot(found$x[, 1:2], pch = 19, col = colours[samples$group], main = "Samples",
       xlab = sprintf("component 1 (%d%% of variance)", share[1]),
       ylab = sprintf("component 2 (%d%% of variance)", share[2]))
  text(found$x[, 1:2], labels = samples$sample, pos = 3, cex = 0.5)
  legend("topright", c(parameters$reference, parameters$other), col = colours[1:2], pch = 19, bty = "n")
}

# Tells how many genes differ, and the first ones.
tell_differences <- function(results, noun = "genes") {
  significant <- results[!is.na(results$padj) & results$padj < parameters$alpha, ]
  tell("Of %s %s that were tested, %s differ between %s and %s with an adjusted p below %s: %s are higher and %s lower in %s.",
       counted(sum(!is.na(results$p))), noun, counted(nrow(significant)), parameters$other, parameters$reference,
       format(parameters$alpha), counted(sum(significant$log2fc > 0)), counted(sum(significant$log2fc < 0)),
       parameters$other)
  for (row in seq_len(min(5, nrow(significant)))) {
    one <- significant[row, ]
    tell("%s is %s in %s: log2 fold change %s, adjusted p %s.", one$symbol,
         if (one$log2fc > 0) "higher" else "lower", parameters$other, rounded(one$log2fc), p_value(one$padj))
  }
  tell_overlap(results$symbol[!is.na(results$p)], significant$symbol)
}

# How many of the genes that were published before differ here too, and how many would by chance.
tell_overlap <- function(tested, found) {
  published <- unique(sub("^(and)? +|[. ]+$", "", parameters$published))
  if (!length(published)) return()
  tested <- unique(toupper(tested))
  found <- unique(toupper(found))
  known <- published[toupper(published) %in% tested]
  again <- known[toupper(known) %in% found]
  tell("Of %s published genes, %s were tested and %s differ here as well; chance would give %s (hypergeometric p %s).",
       counted(length(published)), counted(length(known)), counted(length(again)),
       rounded(length(known) * length(found) / length(tested)),
       p_value(phyper(length(again) - 1, length(found), length(tested) - length(found), length(known),
                      lower.tail = FALSE)))
  if (length(other <- setdiff(published, again))) tell("Of those, not found again: %s.", paste(other, collapse = ", "))
}
