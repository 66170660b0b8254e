project = "Course notes"
html_theme = "alabaster"
