"""DrugFinder (MALADE, section 4.3): from a class to the ingredients that stand for it, with reasons."""
