"""What every group of settings is."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A group of settings: frozen, and closed to unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")
