"""Language models behind the OpenAI API: any endpoint that speaks it, local or remote.

The client takes most of a second to load: import a module of this package where it is used.
"""
