SELECT version, title, description, markdown, html FROM notice
