"""The door of agents that speak the Model Context Protocol: tools, resources and a prompt over standard input."""
