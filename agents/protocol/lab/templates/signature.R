# Machine-learning signature: genes that tell two groups apart by a penalised logistic regression (glmnet, Friedman
# 2010). Every sample is predicted by a model that has not seen it; genes are chosen anew in each fold.
source(file.path("in", "pestle.R"))
suppressPackageStartupMessages(library(glmnet))

values <- read_numbers(parameters$expression)
samples <- read_samples(values)
values <- values[, samples$sample, drop = FALSE]
if (max(values) > 50) values <- log2(pmax(values, 1))
values <- t(values[apply(values, 1, var) > 0, , drop = FALSE])
class <- as.integer(samples$group == "other")
if (min(table(class)) < parameters$folds) wrong_input("fewer samples in a group than the ", parameters$folds, " folds")

# Folds with the same share of both groups.
folds_of <- function(class) {
  fold <- integer(length(class))
  for (one in unique(class)) {
    members <- which(class == one)
    fold[members[sample.int(length(members))]] <- rep_len(seq_len(parameters$folds), length(members))
  }
  fold
}

# The most variable genes of the training samples, and the penalty that cross-validation among them prefers.
trained <- function(rows) {
  spread <- apply(values[rows, , drop = FALSE], 2, var)
  genes <- head(order(-spread), parameters$most_genes)
  fitted <- cv.glmnet(values[rows, genes, drop = FALSE], class[rows], family = "binomial", alpha = parameters$alpha,
                      foldid = folds_of(class[rows]), type.measure = "deviance")
  list(model = fitted, genes = genes)
}

auc_of <- function(score, class) {
  ranks <- rank(score)
  positive <- sum(class)
  (sum(ranks[class == 1]) - positive * (positive + 1) / 2) / (positive * sum(class == 0))
}

fold <- folds_of(class)
predicted <- numeric(length(class))
for (number in seq_len(parameters$folds)) {
  inner <- trained(which(fold != number))
  predicted[fold == number] <- predict(inner$model, values[fold == number, inner$genes, drop = FALSE],
                                       s = "lambda.1se", type = "response")
}
again <- replicate(1000, {
  rows <- sample.int(length(class), replace = TRUE)
  if (length(unique(class[rows])) < 2) NA else auc_of(predicted[rows], class[rows])
})
interval <- quantile(again, c(0.025, 0.975), na.rm = TRUE)
auc <- auc_of(predicted, class)
right <- sum((predicted > 0.5) == (class == 1))
tell("Predicted by models that had not seen them, %d of %d samples are put into the right group; area under the ROC curve %s (95%% interval %s to %s, bootstrap).",
     right, length(class), rounded(auc), rounded(interval[1]), rounded(interval[2]))
write_table(data.frame(sample = samples$sample, group = as.character(samples$group), fold = fold,
                       predicted = predicted), "predictions.csv")

whole <- trained(seq_along(class))
weights <- as.matrix(coef(whole$model, s = "lambda.1se"))[-1, 1]
weights <- weights[weights != 0]
results <- data.frame(gene = names(weights), symbol = symbols_of(names(weights)), coefficient = unname(weights))
results <- results[order(-abs(results$coefficient)), ]
tell("The signature of all samples has %d genes: %s%s.", nrow(results), paste(head(results$symbol, 10), collapse = ", "),
     if (nrow(results) > 10) " and others" else "")
write_results(results)
write_figure("roc.png", function() {
  cuts <- sort(unique(c(-1, predicted, 2)), decreasing = TRUE)
  found <- vapply(cuts, function(cut) c(mean(predicted[class == 0] > cut), mean(predicted[class == 1] > cut)), c(0, 0))
  plot(found[1, ], found[2, ], type = "s", lwd = 2, col = colours[1], xlab = "1 - specificity", ylab = "sensitivity",
       main = sprintf("ROC curve, area %s", rounded(auc)))
  abline(0, 1, lty = 3)
})
finish()
